import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import { type DataSource, InferenceSession } from '../../src/index.js';
import { loadModel } from '../../src/tools/index.js';
import { expectRejection } from '../expect-error.js';
import { sampled } from '../tier.js';
import { product } from './models.js';
import { inPieces, serve, whole } from './server.js';

const test = sampled(suite('files that are no models'), { quick: 1 / 2 });

const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
const file = (name: string) => join(folder, name);
const server = await serve({});
test.after(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

const model = product();

/** Characters up to U+00FF as bytes, then zeros up to `length`. */
const bytes = (text: string, length = 0) => {
  const all = new Uint8Array(Math.max(length, text.length));
  all.set(Array.from(text, (character) => character.charCodeAt(0)));
  return all;
};

/** The first entry of an archive, stored: APPNOTE 4.3.7. */
const zip = (entry: string) =>
  bytes(`PK\x03\x04\x14\0\0\0\0\0${'\0'.repeat(16)}${String.fromCharCode(entry.length)}\0\0\0${entry}`, 400);

const lengthPrefixed = (header: string) => {
  const all = bytes(`${'\0'.repeat(8)}${header}`);
  new DataView(all.buffer).setBigUint64(0, BigInt(header.length), true);
  return all;
};

/** What is given, its name, and what must be said of it. */
const KINDS: readonly (readonly [what: string, name: string, contents: Uint8Array, said: RegExp])[] = [
  [
    'a web page',
    'model.onnx',
    bytes('\n<!DOCTYPE html>\n<html><title>Not found'),
    /web page, "<!DOCTYPE html> <html><title>Not found".*served/,
  ],
  ['a page with a mark of its encoding', 'm.onnx', bytes('\xef\xbb\xbf<html lang="en">'), /it is a web page/],
  [
    'an answer of an API',
    'model.onnx',
    bytes('{"error":"Repository not found"}'),
    /a JSON response, "Repository not found".*permissions/,
  ],
  ['a nested answer', 'model.onnx', bytes('{"error": {"code": 7, "message": "Gated model"}}'), /"Gated model"/],
  [
    'settings in JSON',
    'config.json',
    bytes('{"architectures": ["BertModel"]}'),
    /JSON \(".*architectures.*pass the \.onnx file/,
  ],
  [
    'a TensorFlow.js model',
    'model.json',
    bytes('{"format":"graph-model","modelTopology":{}}'),
    /TensorFlow\.js.*tf2onnx/,
  ],
  [
    'a pointer of Git LFS',
    'model.onnx',
    bytes(`version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 13964571\n`),
    /Git LFS pointer to a file of 13964571 bytes; .*git lfs pull/,
  ],
  [
    'a refusal of a storage service',
    'model.onnx',
    bytes('<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'),
    /AccessDenied.*check the URL/,
  ],
  [
    'a model of OpenVINO',
    'model.xml',
    bytes('<?xml version="1.0"?><net name="x">'),
    /XML, such as an OpenVINO model; pass the \.onnx/,
  ],
  [
    'a model as text',
    'model.txt',
    bytes('<ir_version: 8, opset_import: ["" : 18]>'),
    /ONNX model as text; save it in binary form/,
  ],
  [
    'other text',
    'labels.txt',
    bytes('tench\ngoldfish\nshark\n'),
    /it is text, "tench goldfish shark"; pass an \.onnx file/,
  ],
  ['text that looks like a field', 'labels.txt', bytes('red\ngreen\nblue\n'), /it is text, "red green blue"/],
  [
    'safetensors',
    'model.safetensors',
    lengthPrefixed('{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}'),
    /safetensors file; .*optimum-cli export onnx/,
  ],
  [
    'TensorFlow Lite',
    'model.tflite',
    bytes('\x1c\0\0\0TFL3\x14\0\x20\0', 64),
    /TensorFlow Lite model; .*tf2onnx\.convert --tflite/,
  ],
  [
    "onnxruntime's format",
    'model.ort',
    bytes('\x20\0\0\0ORTM\0\0', 64),
    /ORT format; pass the \.onnx file that it was converted from/,
  ],
  ['GGUF', 'model.gguf', bytes('GGUF\x03\0\0\0', 64), /GGUF.*weights but no graph/],
  ['a model of PyTorch', 'model.pt', zip('archive/data.pkl'), /a PyTorch model; .*torch\.onnx\.export/],
  ['TorchScript', 'model.pt', zip('net/code/__torch__.py'), /a PyTorch model; .*torch\.onnx\.export/],
  [
    'an older model of PyTorch',
    'model.pth',
    bytes('\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.'),
    /PyTorch model \(Python pickle\); .*torch\.onnx\.export/,
  ],
  [
    'a pickle of scikit-learn',
    'model.pkl',
    bytes('\x80\x04\x95\x1b\0\0\0\0\0\0\0\x8c\x07sklearn'),
    /pickle; .*skl2onnx/,
  ],
  ['a model of Keras', 'model.keras', zip('metadata.json'), /a Keras model; .*format="onnx"/],
  ['HDF5', 'model.h5', bytes('\x89HDF\r\n\x1a\n\0\0\0', 64), /HDF5 file, such as a Keras model.*format="onnx"/],
  ['an archive', 'model.zip', zip('model/model.onnx'), /a ZIP archive; unpack it/],
  ['arrays of NumPy in an archive', 'x.npz', zip('x.npy'), /a NumPy archive \(\.npz\)/],
  ['an array of NumPy', 'x.npy', bytes("\x93NUMPY\x01\0v\0{'descr': '<f4'"), /NumPy array \(\.npy\); it has data/],
  ['a compressed model', 'model.onnx.gz', gzipSync(model), /compressed \(gzip\); unpack it with gunzip/],
  ['another archive', 'model.7z', bytes("7z\xbc\xaf'\x1c\0\x04", 64), /compressed file or archive; unpack/],
  [
    'an image',
    'cat.png',
    bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 64),
    /an image or audio file; pass the model to create.*feed .* to run/,
  ],
  ['kernels', 'sardonyx.simd.wasm', bytes('\0asm\x01\0\0\0', 64), /WebAssembly module; .*env\.wasm/],
  [
    'a SavedModel',
    'saved_model.pb',
    bytes('\x08\x01\x12\x14\x0a\x12\x22\x05serve\x2a\x062.16.1'),
    /TensorFlow SavedModel; .*tf2onnx/,
  ],
  [
    'a frozen graph',
    'graph.pb',
    bytes('\x0a\x12\x0a\x05input\x12\x09Reshape\x01\x02'.replace('\x01\x02', '_1')),
    /GraphDef\); .*tf2onnx/,
  ],
  [
    'Core ML',
    'model.mlmodel',
    bytes('\x08\x04\x12\x10\x0a\x0e\x0a\x05image\x1a\x05\x22\x03\x08\x01\x10'),
    /Core ML model; pass the \.onnx/,
  ],
  [
    'a tensor',
    'input_0.pb',
    bytes('\x08\x02\x10\x01\x42\x01xJ\x08\0\0\x80?\0\0\0@'),
    /a single tensor \(TensorProto\); .*model\.onnx/,
  ],
  [
    'external data',
    'model.onnx_data',
    bytes('\x9d\xc3\x11\xbd\xf1\x02\x7f\x3d', 4096),
    /external data \(weights of a model\).*; pass the \.onnx file that refers to it/,
  ],
  ['anything else', 'model.onnx', bytes('\xde\xad\xbe\xef\xff\xff\xff\xff', 40), /first bytes are de ad be ef/],
  ['nothing', 'model.onnx', new Uint8Array(), /it is empty \(0 bytes\); the download or export/],
  [
    'the first half',
    'model.onnx',
    model.slice(0, 9000),
    /is truncated: it ends at byte 9000, in a field that extends to byte 2\d{5};/,
  ],
  [
    'all but the last bytes',
    'model.onnx',
    model.slice(0, -3),
    /is truncated: it ends at byte \d+|damaged or incomplete/,
  ],
];

for (const [what, name, contents, said] of KINDS)
  for (const [way, source] of Object.entries<(place: string) => DataSource>({
    'a path': () => {
      writeFileSync(file(name), contents);
      return file(name);
    },
    'an address': () => {
      server.handlers[`/${name}`] = whole(contents);
      return `${server.url}/${name}`;
    },
    'an address, in small pieces': () => {
      server.handlers[`/${name}`] = inPieces(contents, 1);
      return contents.length > 500 ? new File([contents.slice()], name) : `${server.url}/${name}`;
    },
    'a File': () => new File([contents.slice()], name),
    ...(/judging by its name|weights of a model/.test(said.source) ? {} : { bytes: () => contents }),
  }))
    test(`${what}, from ${way}`, async () => {
      const given = source(name);
      await expectRejection('INVALID_MODEL', said, InferenceSession.create(given));
      const named = way === 'bytes' ? /(^| )model / : new RegExp(name.replaceAll('.', '\\.'));
      await expectRejection('INVALID_MODEL', named, InferenceSession.create(source(name)));
    });

test('wherever a model is cut, the message says so', async () => {
  for (let end = 4; end < model.length; end = Math.ceil(end * 1.31 + 1))
    await expectRejection(
      'INVALID_MODEL',
      new RegExp(`truncated: it ends at byte ${end},|\\(${end} bytes\\) is damaged or incomplete`),
      InferenceSession.create(model.slice(0, end)),
    );
});

test('the page about a file', async () => {
  const page = new Response('<!DOCTYPE html><html>', { headers: { 'content-type': 'text/html' } });
  Object.defineProperty(page, 'url', { value: 'https://huggingface.co/a/b/blob/main/model.onnx' });
  await expectRejection(
    'INVALID_MODEL',
    /itself is at https:\/\/huggingface\.co\/a\/b\/resolve\/main\/model\.onnx/,
    InferenceSession.create(page),
  );
});

test('the rest of the pool that a small Buffer was cut from', async () => {
  const pool = Buffer.from('a model').buffer;
  await expectRejection(
    'INVALID_MODEL',
    /pass the Buffer itself, not its \.buffer/,
    InferenceSession.create(new Uint8Array(pool).fill(0xde).buffer),
  );
});

const { create } = InferenceSession;

test('files that are not there', async () => {
  writeFileSync(file('Model.onnx'), model);
  const absent = (path: string, said: RegExp) => expectRejection('FILE_NOT_FOUND', said, create(path));
  await absent(file('Modle.onnx'), new RegExp(`there is no file ${file('Modle.onnx')}; did you mean "Model.onnx"\\?$`));
  await absent(file('weights/none.onnx'), /there is no file .*weights\/none\.onnx; its folder does not exist$/);
  await absent(file('zebra.bin'), /the folder contains .*"Model\.onnx"/);
  await absent(join(file('Model.onnx'), 'x.onnx'), /there is no file/);
  await absent(
    'models/absent.onnx',
    new RegExp(
      `there is no file ${process.cwd()}/models/absent\\.onnx.*working directory.*new URL\\("models/absent\\.onnx", import\\.meta\\.url\\)`,
    ),
  );
});

test('files that cannot be read', async () => {
  const unreadable = (path: string, said: RegExp) => expectRejection('FILE_UNREADABLE', said, create(path));
  mkdirSync(file('exported'));
  await unreadable(file('exported'), /EISDIR.*it is a folder: pass the path of the \.onnx file/);
  writeFileSync(file('exported/encoder.onnx'), model);
  await unreadable(file('exported'), /it is a folder that contains "encoder\.onnx"/);
  symlinkSync(file('loop.onnx'), file('loop.onnx'));
  await unreadable(file('loop.onnx'), /ELOOP/);
});

if (process.getuid?.() === 0)
  test('files that this user may not read', async () => {
    writeFileSync(file('secret.onnx'), model);
    chmodSync(folder, 0o755);
    chmodSync(file('secret.onnx'), 0o600);
    process.seteuid?.(65534);
    try {
      await expectRejection('FILE_UNREADABLE', /EACCES.*no permission to read it/, create(file('secret.onnx')));
    } finally {
      process.seteuid?.(0);
    }
  });

test('a model whose producer has lost its name is damaged, and of no other format', async () => {
  const damaged = bytes('\x08\x08\x12\x07pyt\xffrch\x3a\x40\x0a\x04\xffcut');
  await expectRejection('INVALID_MODEL', /^(?!.*Core ML).*\bbyte \d/s, loadModel(damaged));
});

test.run();
