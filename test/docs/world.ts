import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { writeValue } from '../../src/model/write-values.js';
import { writeNpy } from '../../src/tensors/index.js';
import { bytesOf } from '../image/bytes.js';
import { FILES as PICTURES } from '../image/pictures.js';
import { type Consumer, consumer } from '../installed-package.js';
import { installedPackages } from '../installed-packages.js';
import { serve } from '../platforms/site.js';
import { safetensorsOf } from '../toolkit/import/weights/files.js';
import { writeModels } from '../transformers/local-models.js';
import { installedPeers } from '../transformers/peers.js';
import { f32 } from '../values.js';
import type { Snippet } from './snippets.js';
import { SURROUNDINGS } from './surroundings.js';

/** The package as it is installed, beside the packages, files and addresses that the documentation speaks of. */
export interface World extends Consumer {
  /** Where https://example.org and https://huggingface.co are. */
  readonly address: string;
  /** Type declarations of a newer Node. */
  readonly typeRoots: string;
}

/** Negative numbers become 0; of any shape. */
function relu(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Relu', [b.input('x', 'float32')]));
  return b.toBytes();
}

/** Inputs and outputs of mobilenet_v2, and nothing of what is in between. */
function classifier(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const input = b.input('input', 'float32', ['batch', 3, 224, 224]);
  const means = b.op('Flatten', [b.op('GlobalAveragePool', [input])]);
  b.output('output', b.op('MatMul', [means, b.constant('w', tensor('float32', [3, 1000], new Float32Array(3000)))]));
  return b.toBytes();
}

const zeros = (dims: readonly number[]) => f32(dims, new Float32Array(dims.reduce((a, b) => a * b, 1)));

/** Of a suite that has one. */
const CASE = 'onnx/onnx/backend/test/data/node/test_relu';
const TRAINED = JSON.parse(readFileSync(new URL('../toolkit/import/trees/trained.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly [{ readonly model: string }];
};

const bytesIn = (text: string) => new TextEncoder().encode(text);

/** A file of zeros. */
const weightsOf = (dims: Readonly<Record<string, readonly [number, number]>>): Uint8Array =>
  safetensorsOf(
    Object.fromEntries(
      Object.entries(dims).map(([name, shape]) => [
        name,
        { dtype: 'F32', shape, data: new Float32Array(shape[0] * shape[1]) },
      ]),
    ),
  );

const FILES: Readonly<Record<string, () => Uint8Array>> = {
  'model.onnx': relu,
  'mobilenet_v2.onnx': classifier,
  'weights.bin': () => new Uint8Array(64),
  'image.npy': () => writeNpy(zeros([1, 3, 224, 224])),
  'expected.npy': () => writeNpy(zeros([1, 1000])),
  'xgboost.json': () => bytesIn(TRAINED.cases[0].model),
  'tuned.safetensors': () => weightsOf({ w: [3, 1000] }),
  'adapter.safetensors': () => weightsOf({ 'w.lora_A.weight': [1, 3], 'w.lora_B.weight': [1000, 1] }),
  'photo.jpg': () => bytesOf(PICTURES.jpeg.file),
  [`${CASE}/model.onnx`]: relu,
  [`${CASE}/test_data_set_0/input_0.pb`]: () => writeValue(f32([3], [-1, 0, 2]), 'x'),
  [`${CASE}/test_data_set_0/output_0.pb`]: () => writeValue(f32([3], [0, 0, 2]), 'y'),
};

/** Sends what is fetched from the addresses of the documentation to the server. */
const ADDRESSES = `const { fetch } = globalThis;
const local = (address) => address.replace(/^https:\\/\\/(?=example\\.org|huggingface\\.co)/, process.env.SITE + '/');
globalThis.fetch = (resource, init) =>
  resource instanceof Request ? fetch(new Request(local(resource.url), resource), init) : fetch(local(String(resource)), init);
`;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Null where the other packages cannot be installed. */
export async function world(): Promise<World | null> {
  const [peers, compilers] = [installedPeers(), installedPackages(here('../types'))];
  if (!peers || !compilers) return null;
  const installed = consumer();
  const { folder } = installed;
  for (const name of ['@huggingface', 'onnxruntime-common', 'onnxruntime-node'])
    symlinkSync(join(peers, name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'addresses.mjs'), ADDRESSES);
  const site = join(folder, 'site');
  for (const place of [folder, join(site, 'example.org')])
    for (const [name, make] of Object.entries(FILES)) {
      mkdirSync(dirname(join(place, name)), { recursive: true });
      writeFileSync(join(place, name), make());
    }
  writeModels(join(folder, 'tiny'));
  const repository = join(site, 'huggingface.co/Xenova/all-MiniLM-L6-v2/resolve/main');
  cpSync(join(folder, 'tiny/encoder'), repository, { recursive: true });
  const { address, close } = await serve(site);
  const remove = () => {
    close();
    installed.remove();
  };
  return { ...installed, address, typeRoots: join(compilers, '@types'), remove };
}

/** The snippet as a module, with what it needs around it. */
export function programOf({ name, code }: Snippet): string {
  const { before = '', after = '' } = SURROUNDINGS[name] ?? {};
  return [before, code, after].filter(Boolean).join('\n');
}

export const fileOf = ({ name }: Snippet): string => name.replaceAll(/\W+/g, '-');

/** The program in JavaScript. */
export const scriptOf = async (snippet: Snippet): Promise<string> =>
  (await transform(programOf(snippet), { loader: 'ts', target: 'es2022' })).code;
