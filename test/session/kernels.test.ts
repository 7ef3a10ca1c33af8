import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { WasmOptions } from '../../bindings/wasm-options.js';
import { modelBuilder } from '../../src/builder/index.js';
import { env, InferenceSession, type SessionOptions, Tensor } from '../../src/index.js';

const test = suite('where the kernels come from');

const FOLDER = fileURLToPath(new URL('../../build/', import.meta.url));
const bytes = () => new Uint8Array(readFileSync(`${FOLDER}sardonyx.simd.wasm`));
const typed = { headers: { 'content-type': 'application/wasm' } };

test.after.each(() => {
  const { source, wasmBinary, wasmPaths, ...others } = env.wasm;
  for (const name of Object.keys({ source, wasmBinary, wasmPaths })) delete env.wasm[name as keyof WasmOptions];
  Object.assign(env.wasm, others);
});

async function opposite(options?: SessionOptions): Promise<{ y: number; threads: number }> {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Neg', [b.input('x', 'float32', [1])]));
  const session = await InferenceSession.create(b.toBytes(), options);
  const feeds = { x: new Tensor('float32', [3], [1]) };
  await session.run(feeds);
  // The second run waits for the threads.
  const { y } = await session.run(feeds);
  const { threads } = session;
  await session.release();
  return { y: ((y as Tensor).data as Float32Array)[0] as number, threads };
}

const PLACES: Readonly<Record<string, () => Partial<WasmOptions>>> = {
  'a module': () => ({ source: new WebAssembly.Module(bytes()) }),
  bytes: () => ({ source: bytes() }),
  'a path': () => ({ source: `${FOLDER}sardonyx.simd.wasm` }),
  'a response, compiled as it arrives': () => ({ source: new Response(bytes(), typed) }),
  'a response without a type': () => ({ source: new Response(bytes()) }),
  'a function of the name': () => ({ source: (file) => readFileSync(FOLDER + file) }),
  wasmBinary: () => ({ wasmBinary: bytes().buffer }),
  'a prefix': () => ({ wasmPaths: FOLDER }),
  'the place of the kernels alone': () => ({ wasmPaths: { wasm: `${FOLDER}sardonyx.simd.wasm` } }),
};

for (const [name, place] of Object.entries(PLACES))
  test(name, async () => {
    Object.assign(env.wasm, place());
    assert.equal(await opposite(), { y: -3, threads: 1 });
  });

for (const [name, place] of Object.entries(PLACES).filter(([name]) => name !== 'a module'))
  test(`${name}, for threads and for one`, async () => {
    Object.assign(env.wasm, place());
    assert.equal(await opposite({ intraOpNumThreads: 2 }), { y: -3, threads: 2 });
    assert.equal(await opposite({ intraOpNumThreads: 1 }), { y: -3, threads: 1 });
  });

test('a module, compiled for the memory of one thread, makes sessions of one thread', async () => {
  env.wasm.source = new WebAssembly.Module(bytes());
  assert.equal(await opposite({ intraOpNumThreads: 2 }), { y: -3, threads: 1 });
});

test('kernels that are not there, or are none, are refused until they are put right', async () => {
  for (const [source, code] of [
    [`${FOLDER}absent.wasm`, 'FILE_NOT_FOUND'],
    [FOLDER, 'FILE_UNREADABLE'],
    [new Uint8Array(8), 'INVALID_ARGUMENT'],
    [new Response(null, { status: 404 }), 'DOWNLOAD'],
    ['data:text/html,page', 'DOWNLOAD'],
    ['http://127.0.0.1:9/none.wasm', 'DOWNLOAD'],
  ] as const) {
    env.wasm.source = source;
    const error = await opposite().catch((thrown) => thrown);
    assert.is(error.code, code, String(source));
    assert.match(error.message, 'env.wasm.source');
  }
  env.wasm.source = bytes();
  assert.is((await opposite()).y, -3);
});

test.run();
