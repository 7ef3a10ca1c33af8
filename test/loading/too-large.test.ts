import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { tensorType } from '../../src/graph/types.js';
import { InferenceSession, type SessionOptions } from '../../src/index.js';
import type { FilePlace } from '../../src/model/write-attributes.js';
import { writeModel } from '../../src/model/write-model.js';
import { StoredTensor } from '../../src/tensor/stored-tensor.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { expectRejection } from '../expect-error.js';
import { serve, whole } from './server.js';

const test = suite('models that do not fit');

const SIZE = 16384;
const BYTES = 4 * SIZE * SIZE;

/** Products with so many matrices of a GiB, each in a file that is not there. */
function products(matrices: number): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const places = new Map<TensorValue, FilePlace>();
  let x = b.input('x', 'float32', [1, SIZE]);
  for (let i = 0; i < matrices; i++) {
    const dims = [SIZE, SIZE];
    const constant = new StoredTensor('float32', dims, () => new Uint8Array());
    places.set(constant, { location: `weights_${i}`, offset: 0, length: BYTES });
    const weight = Object.assign(b.constant(`w${i}`, tensor('float32', [0], [])), { constant });
    x = b.op('MatMul', [x, Object.assign(weight, { type: tensorType('float32', dims) })]);
  }
  b.output('y', x);
  return writeModel(b.toModel(), { external: (constant) => places.get(constant) });
}

const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
const path = join(folder, 'model.onnx');
const server = await serve({});
test.after(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

const LIMITED: SessionOptions = { limits: { memoryBytes: 2 ** 30 } };

const CASES = [
  ['5 GiB', 5, {}, 'OUT_OF_MEMORY', /has 5,368,709,120 bytes of weights .* room for 4,293,787,648: quantize it/],
  ['4 GiB', 4, {}, 'OUT_OF_MEMORY', /has 4,294,967,296 bytes of weights/],
  [
    '2 GiB, of which one is allowed',
    2,
    LIMITED,
    'LIMIT',
    /would take 2,147,483,648 bytes: more than the limit of 1,073,741,824/,
  ],
] as const;

for (const [what, matrices, options, code, message] of CASES)
  test(`${what}: refused before anything is fetched`, async () => {
    const bytes = products(matrices);
    server.handlers['/model.onnx'] = whole(bytes);
    server.requests.length = 0;
    await expectRejection(code, message, InferenceSession.create(`${server.url}/model.onnx`, options));
    assert.equal(
      server.requests.map(({ path }) => path),
      ['/model.onnx'],
    );
    writeFileSync(path, bytes);
    await expectRejection(code, message, InferenceSession.create(path, options));
    const externalData = Array.from({ length: matrices }, (_, i) => ({ path: `weights_${i}`, data: server.url }));
    await expectRejection(code, message, InferenceSession.create(bytes, { ...options, externalData }));
    assert.is(server.requests.length, 1);
  });

test('what fits is looked for', async () => {
  writeFileSync(path, products(3));
  await expectRejection('EXTERNAL_DATA', /"weights_0" is not in the model's folder/, InferenceSession.create(path));
});

test.run();
