import { mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { InferenceSession } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { randomFloats } from '../assembly/kernels.js';
import { expectRejection } from '../expect-error.js';

const test = suite('tables that stay in their file');

const [ROWS, COLUMNS, BLOCK] = [1 << 16, 512, 32];
const BLOCKS = COLUMNS / BLOCK;

const WIDTH = COLUMNS / 8;
const FLOATS = randomFloats(ROWS * WIDTH, 1);
/** The same bytes. */
const CODES = new Uint8Array(FLOATS.buffer);
const SCALES = randomFloats(ROWS * BLOCKS, 2);

/** Rows of floats, rows of codes in 4 bits, and the product with the same codes. */
function model(): Uint8Array {
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  const ids = b.input('ids', 'int64', ['count']);
  b.output('floats', b.op('Gather', [b.constant('table', tensor('float32', [ROWS, WIDTH], FLOATS)), ids]));
  const codes = b.constant('codes', tensor('uint8', [ROWS, COLUMNS / 2], CODES));
  const scales = b.constant('scales', tensor('float32', [ROWS, BLOCKS], SCALES));
  const attributes = { bits: 4, block_size: BLOCK };
  const [rows] = b.node('GatherBlockQuantized', [codes, ids, scales], attributes, { domain: 'com.microsoft' });
  b.output('rows', rows as NonNullable<typeof rows>);
  return b.toBytes();
}

const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
const path = join(folder, 'model.onnx');
test.before(() => writeFileSync(path, model()));
test.after(() => rmSync(folder, { recursive: true }));

const feeds = (...ids: number[]): Record<string, TensorValue> => ({
  ids: { type: 'int64', dims: [ids.length], data: BigInt64Array.from(ids, BigInt) },
});

const expectedRows = (ids: readonly number[]) =>
  Float32Array.from({ length: ids.length * COLUMNS }, (_, i) => {
    const at = (ids[Math.floor(i / COLUMNS)] as number) * COLUMNS + (i % COLUMNS);
    const code = ((CODES[at >> 1] as number) >> (4 * (at & 1))) & 15;
    return Math.fround((code - 8) * (SCALES[Math.floor(at / BLOCK)] as number));
  });

async function check(session: InferenceSession): Promise<void> {
  for (const ids of [[3], [ROWS - 1, 0, 77], [5], []]) {
    const { floats, rows } = (await session.run(feeds(...ids))) as Record<string, { data: Float32Array }>;
    const expected = ids.flatMap((id) => [...FLOATS.subarray(id * WIDTH, (id + 1) * WIDTH)]);
    assert.equal(floats?.data, Float32Array.from(expected));
    assert.equal(rows?.data, expectedRows(ids));
  }
  const { floats } = (await session.run(feeds(-1))) as Record<string, { data: Float32Array }>;
  assert.equal(floats?.data, FLOATS.subarray(-WIDTH));
  await expectRejection('INVALID_VALUE', /65536/, session.run(feeds(ROWS)));
}

test('from a path, they take no linear memory', async () => {
  for (const options of [{}, { graphOptimizationLevel: 'disabled' }, { limits: { memoryBytes: 2 ** 25 } }] as const) {
    const session = await InferenceSession.create(path, options);
    await check(session);
    assert.ok((session.memoryPlan?.linearMemory ?? Number.POSITIVE_INFINITY) < 12 * 2 ** 20);
    await session.release();
  }
});

test('from bytes, and on the reference, they give the same', async () => {
  await check(await InferenceSession.create(readFileSync(path)));
  await check(await InferenceSession.create(path, { executionProviders: ['reference'] }));
});

test('a file that has changed or is gone is told', async () => {
  const other = join(folder, 'other.onnx');
  writeFileSync(other, readFileSync(path));
  const session = await InferenceSession.create(other);
  await session.run(feeds(1));
  utimesSync(other, 1, 1);
  const changed = /cannot read weights from ".*other.onnx": it has changed since the model was opened/;
  await expectRejection('EXTERNAL_DATA', changed, session.run(feeds(1)));
  rmSync(other);
  await expectRejection('EXTERNAL_DATA', /cannot read weights from ".*other.onnx": ENOENT/, session.run(feeds(1)));
});

test.run();
