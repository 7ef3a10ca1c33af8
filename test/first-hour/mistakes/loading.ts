import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { env, InferenceSession } from '../../../src/index.js';
import { product, withExternalWeights } from '../../loading/models.js';
import { brokenAfter, serve, whole } from '../../loading/server.js';
import type { Mistake } from './mistake.js';
import { classifier } from './networks.js';

const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
const file = (name: string) => join(folder, name);
const model = classifier();
const large = product();
const split = withExternalWeights('model.onnx_data');
const text = (contents: string) => new TextEncoder().encode(contents);
const page = text('<!DOCTYPE html><html><head><title>App</title></head></html>');
const pointer = text(`version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 14246826\n`);
/** The beginnings of files of other kinds. */
const safetensors = Uint8Array.from([64, 0, 0, 0, 0, 0, 0, 0, ...text(`{"weight":{"dtype":"F32"${' '.repeat(40)}}`)]);
const pytorch = text(`PK\x03\x04${'\0'.repeat(26)}archive/data.pkl`);
const tflite = text('\x1c\0\0\0TFL3\0\0\0\0');
const ort = text('\x20\0\0\0ORTM\0\0\0\0');
const tensorProto = Uint8Array.of(8, 1, 16, 1, 74, 4, 0, 0, 128, 63);

const server = await serve({
  '/spa/model.onnx': whole(page, { 'content-type': 'text/html' }),
  '/gated.onnx': (_, response) => void response.writeHead(401).end(),
  '/api.onnx': whole(text('{"error":"Access to model is restricted"}'), { 'content-type': 'application/json' }),
  '/broken.onnx': brokenAfter(large, 5000),
  '/model.onnx': whole(model),
});

export function setUp(): void {
  mkdirSync(file('exported'));
  for (const [name, contents] of Object.entries({
    'Model.onnx': model,
    'exported/model.onnx': model,
    'cut.onnx': large.subarray(0, 100_000),
    'empty.onnx': new Uint8Array(),
    'pointer.onnx': pointer,
    'model.onnx.gz': gzipSync(model),
    'model.safetensors': safetensors,
    'model.pt': pytorch,
    'model.tflite': tflite,
    'model.ort': ort,
    'input_0.pb': tensorProto,
    'model.onnx_data': new Uint8Array(new Float32Array(256).fill(0.37).buffer),
  }))
    writeFileSync(file(name), contents);
}

export async function tearDown(): Promise<void> {
  rmSync(folder, { recursive: true });
  await server.close();
}

const create = (source?: unknown, options?: object) => InferenceSession.create(source as Uint8Array, options);

async function withSettings(settings: object, work: () => Promise<unknown>): Promise<unknown> {
  Object.assign(env.wasm, settings);
  try {
    return await work();
  } finally {
    for (const name of Object.keys(settings)) delete env.wasm[name as 'source'];
  }
}

export const loading: readonly Mistake[] = [
  {
    who: 'mistypes the path',
    gets: 'FILE_NOT_FOUND',
    wrong: /cannot read the model ".*Modle\.onnx": there is no file/,
    where: /\/tmp\/.*Modle\.onnx/,
    remedy: /did you mean "Model\.onnx"\?/,
    by: () => create(file('Modle.onnx')),
  },
  {
    who: 'writes the name in another case, which was the same on a Mac',
    gets: 'FILE_NOT_FOUND',
    wrong: /there is no file/,
    where: /model\.ONNX/,
    remedy: /did you mean "Model\.onnx"\?/,
    by: () => create(file('model.ONNX')),
  },
  {
    who: 'gives a path relative to the script, not to the working directory',
    gets: 'FILE_NOT_FOUND',
    wrong: /there is no file/,
    where: new RegExp(`${process.cwd()}/model\\.onnx`),
    remedy: /paths are relative to the working directory.*new URL\("\.\/model\.onnx", import\.meta\.url\)/,
    by: () => create('./model.onnx'),
  },
  {
    who: 'gives a web address with a slip in its beginning',
    gets: 'FILE_NOT_FOUND',
    wrong: /there is no file/,
    where: /"htps:\/\/example\.org\/model\.onnx"/,
    remedy: /URLs must begin with https:\/\//,
    by: () => create('htps://example.org/model.onnx'),
  },
  {
    who: 'gives the folder of an export',
    gets: 'FILE_UNREADABLE',
    wrong: /it is a folder that contains "model\.onnx"/,
    where: /exported/,
    remedy: /pass the path of the \.onnx file/,
    by: () => create(file('exported')),
  },
  {
    who: 'creates a session of nothing',
    gets: 'INVALID_ARGUMENT',
    wrong: /got undefined/,
    where: /a model must be a/,
    remedy: /InferenceSession\.create\('model\.onnx'\)/,
    by: () => create(),
  },
  {
    who: 'gives options in place of the model',
    gets: 'INVALID_ARGUMENT',
    wrong: /got an object/,
    where: /a model must be a URL, path/,
    remedy: /pass the contents or the location of an \.onnx file/,
    by: () => create({ executionProviders: ['wasm'] }),
  },
  {
    who: 'forgets to await fetch',
    gets: 'INVALID_ARGUMENT',
    wrong: /got a Promise/,
    where: /a model must be a/,
    remedy: /did you forget await\?/,
    by: () => create(fetch(`${server.url}/model.onnx`)),
  },
  {
    who: 'gives a list of bytes, as JSON has them',
    gets: 'INVALID_ARGUMENT',
    wrong: /got an array/,
    where: /a model must be a/,
    remedy: /Uint8Array\.from\(array\)/,
    by: () => create([...model]),
  },
  {
    who: 'reads the model as text',
    gets: 'INVALID_ARGUMENT',
    wrong: /got the contents of a file as text/,
    where: /expected a path/,
    remedy: /read it as bytes with arrayBuffer\(\), or readFile without an encoding/,
    by: () => create(readFileSync(file('Model.onnx'), 'utf8')),
  },
  {
    who: 'uses the body of a response twice',
    gets: 'INVALID_ARGUMENT',
    wrong: /was already read/,
    where: /\/model\.onnx/,
    remedy: /fetch it again, or clone\(\) it/,
    by: async () => {
      const response = await fetch(`${server.url}/model.onnx`);
      await response.arrayBuffer();
      return create(response);
    },
  },
  {
    who: 'gives the buffer of a small Buffer of Node, which is a pool',
    gets: 'INVALID_MODEL',
    wrong: /cannot read model as an ONNX model/,
    where: /8192 bytes is the size of the pool/,
    remedy: /pass the Buffer itself, not its \.buffer/,
    by: () => create(Buffer.from(model).buffer),
  },
  {
    who: 'gives a buffer that was handed over to a worker',
    gets: 'INVALID_MODEL',
    wrong: /it is empty \(0 bytes\)/,
    where: /^model /,
    remedy: /its buffer was transferred \(postMessage\)/,
    by: () => {
      const { buffer } = model.slice();
      structuredClone(buffer, { transfer: [buffer] });
      return create(buffer);
    },
  },
  {
    who: 'asks a server for a file that is not there',
    gets: 'DOWNLOAD',
    wrong: /404 Not Found/,
    where: /http:\/\/127\.0\.0\.1:\d+\/absent\.onnx/,
    remedy: /check the URL.*the folder that is served/,
    by: () => create(`${server.url}/absent.onnx`),
  },
  {
    who: 'gets the page of a development server in place of the file',
    gets: 'INVALID_MODEL',
    wrong: /it is a web page, "<!DOCTYPE html>.*content type text\/html/,
    where: /\/spa\/model\.onnx is not an ONNX model/,
    remedy: /the folder that is served \(often public\/\)/,
    by: () => create(`${server.url}/spa/model.onnx`),
  },
  {
    who: 'fetches a model that wants a login',
    gets: 'DOWNLOAD',
    wrong: /401/,
    where: /gated\.onnx/,
    remedy: /fetch the file with the necessary headers.*pass the Response/,
    by: () => create(`${server.url}/gated.onnx`),
  },
  {
    who: 'gets the error of an API in place of the file',
    gets: 'INVALID_MODEL',
    wrong: /a JSON response, "Access to model is restricted"/,
    where: /api\.onnx is not an ONNX model/,
    remedy: /check the URL and the permissions/,
    by: () => create(`${server.url}/api.onnx`),
  },
  {
    who: 'has no server running',
    gets: 'DOWNLOAD',
    wrong: /fetch failed \(.*ECONNREFUSED|bad port/,
    where: /http:\/\/127\.0\.0\.1:1\/model\.onnx/,
    remedy: /check the URL and the connection/,
    by: () => create('http://127.0.0.1:1/model.onnx'),
  },
  {
    who: 'loses the connection',
    gets: 'DOWNLOAD',
    wrong: /was interrupted after \d+ of \d+ bytes/,
    where: /broken\.onnx/,
    remedy: /try again; sardonyx\/cache can resume a download/,
    by: () => create(`${server.url}/broken.onnx`),
  },
  {
    who: 'has half of a download on the disk',
    gets: 'INVALID_MODEL',
    wrong: /is truncated: it ends at byte 100000, in a field that extends to byte \d{6}/,
    where: /cut\.onnx/,
    remedy: /download or copy the file again and compare its size/,
    by: () => create(file('cut.onnx')),
  },
  {
    who: 'has an empty file',
    gets: 'INVALID_MODEL',
    wrong: /it is empty \(0 bytes\)/,
    where: /empty\.onnx/,
    remedy: /the download or export failed/,
    by: () => create(file('empty.onnx')),
  },
  {
    who: 'has cloned a repository without Git LFS',
    gets: 'INVALID_MODEL',
    wrong: /a Git LFS pointer to a file of 14246826 bytes/,
    where: /pointer\.onnx/,
    remedy: /git lfs pull/,
    by: () => create(file('pointer.onnx')),
  },
  {
    who: 'gives a compressed model',
    gets: 'INVALID_MODEL',
    wrong: /it is compressed \(gzip\)/,
    where: /model\.onnx\.gz/,
    remedy: /gunzip.*DecompressionStream\("gzip"\)/,
    by: () => create(file('model.onnx.gz')),
  },
  {
    who: 'gives weights of safetensors',
    gets: 'INVALID_MODEL',
    wrong: /it is a safetensors file/,
    where: /model\.safetensors/,
    remedy: /weights but no graph.*optimum-cli export onnx/,
    by: () => create(file('model.safetensors')),
  },
  {
    who: 'gives a model of PyTorch',
    gets: 'INVALID_MODEL',
    wrong: /it is a PyTorch model/,
    where: /model\.pt/,
    remedy: /torch\.onnx\.export/,
    by: () => create(file('model.pt')),
  },
  {
    who: 'gives a model of TensorFlow Lite',
    gets: 'INVALID_MODEL',
    wrong: /it is a TensorFlow Lite model/,
    where: /model\.tflite/,
    remedy: /tf2onnx\.convert --tflite/,
    by: () => create(file('model.tflite')),
  },
  {
    who: "gives a model in onnxruntime's own format",
    gets: 'INVALID_MODEL',
    wrong: /onnxruntime's ORT format/,
    where: /model\.ort/,
    remedy: /pass the \.onnx file that it was converted from/,
    by: () => create(file('model.ort')),
  },
  {
    who: 'gives a test tensor in place of the model',
    gets: 'INVALID_MODEL',
    wrong: /a single tensor \(TensorProto\)/,
    where: /input_0\.pb/,
    remedy: /model\.onnx in the parent folder/,
    by: () => create(file('input_0.pb')),
  },
  {
    who: 'gives the external weights in place of the model',
    gets: 'INVALID_MODEL',
    wrong: /external data \(weights of a model\)/,
    where: /model\.onnx_data/,
    remedy: /pass the \.onnx file that refers to it/,
    by: () => create(file('model.onnx_data')),
  },
  {
    who: 'gives bytes and forgets the external weights',
    gets: 'EXTERNAL_DATA',
    wrong: /external file "model\.onnx_data" was not given; given: none/,
    where: /value "w"/,
    remedy: /pass \{ path: "model\.onnx_data", data \} in externalData/,
    by: () => create(split.model),
  },
  {
    who: 'gives the external weights under another name',
    gets: 'EXTERNAL_DATA',
    wrong: /external file "model\.onnx_data" was not given; given: "weights\.bin"/,
    where: /value "w"/,
    remedy: /pass \{ path: "model\.onnx_data", data \}/,
    by: () => create(split.model, { externalData: [{ path: 'weights.bin', data: split.weights }] }),
  },
  {
    who: 'gives external weights without their path',
    gets: 'INVALID_ARGUMENT',
    wrong: /externalData must be a list of \{ path, data \}/,
    where: /externalData/,
    remedy: /the path in the model, and the file/,
    by: () => create(split.model, { externalData: ['weights.bin'] }),
  },
  {
    who: 'gives external weights to a model that has none',
    gets: 'a warning',
    wrong: /externalData "extra\.bin" is not used/,
    where: /"extra\.bin"/,
    remedy: /the model refers to no other files/,
    by: () => create(model, { externalData: [{ path: 'extra.bin', data: split.weights }] }),
  },
  {
    who: 'gives a signal that has been aborted',
    gets: 'ABORTED',
    wrong: /loading was aborted/,
    where: /loading/,
    remedy: /aborted/,
    by: () => create(model, { signal: AbortSignal.abort() }),
  },
  {
    who: 'gives the controller in place of its signal',
    gets: 'INVALID_ARGUMENT',
    wrong: /got AbortController/,
    where: /signal/,
    remedy: /must be an AbortSignal/,
    by: () => create(model, { signal: new AbortController() }),
  },
  {
    who: 'says a wrong folder for the kernels',
    gets: 'DOWNLOAD',
    wrong: /404 Not Found/,
    where: /http:\/\/.*\/kernels\/sardonyx\.\w+\.wasm/,
    remedy: /env\.wasm\.wasmPaths must point to the files of node_modules\/sardonyx\/build/,
    by: () => withSettings({ wasmPaths: `${server.url}/kernels/` }, () => create(model)),
  },
  {
    who: 'gets a page in place of the kernels',
    gets: 'DOWNLOAD',
    wrong: /a web page came instead/,
    where: /\/spa\/model\.onnx/,
    remedy: /env\.wasm\.source must point to/,
    by: () => withSettings({ source: `${server.url}/spa/model.onnx` }, () => create(model)),
  },
];
