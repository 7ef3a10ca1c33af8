import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { difference } from '../../conformance/compare.js';
import { type Case, draw, feedsOf, modelOf } from '../../contrib/case.js';
import { open } from '../../session/run-model.js';

const test = suite('SparseAttention where onnxruntime-node does not show it');

const { floats } = draw(3);

const TOLERANCE = { relative: 1e-4, absolute: 1e-5 };

async function run(c: Omit<Case, 'label'>): Promise<TensorValue[]> {
  const own = { ...c, label: '', outputs: [0, 1, 2] };
  const session = await open(modelOf({ op: 'SparseAttention', cases: [] }, own));
  const { y0, y1, y2 } = await session.run(feedsOf(own));
  return [y0, y1, y2] as TensorValue[];
}

const int32 = (dims: readonly number[], values: readonly number[]) => tensor('int32', dims, values);

/** Entry `b` of the first axis. */
function entry({ type, dims, data }: TensorValue, b: number): TensorValue {
  const size = data.length / (dims[0] as number);
  return { type, dims: [1, ...dims.slice(1)], data: data.slice(b * size, (b + 1) * size) };
}

const LOCAL = [int32([1, 5], [0, 1, 3, 5, 7]), int32([1, 7], [0, 0, 1, 1, 2, 2, 3])];

/** onnxruntime mixes up the weights of sequences of several lengths, and later prompts' positions; alone, each is right. */
for (const rows of [1, 2])
  test(`sequences of several lengths are as they are alone, ${rows} queries`, async () => {
    const lengths = [8, 3, 5];
    const [query, key, value] = [32, 16, 16].map((width) => floats([3, rows, width])) as TensorValue[];
    const [pastKey, pastValue] = [floats([3, 1, 8, 16]), floats([3, 1, 8, 16])];
    const angles = [floats([8, 8]), floats([8, 8])];
    const attributes = { num_heads: 2, kv_num_heads: 1, sparse_block_size: 2, do_rotary: 1 };
    const tensors = [query, key, value, pastKey, pastValue] as TensorValue[];
    const all = await run({
      attributes,
      inputs: [...tensors, ...LOCAL, int32([1], [8]), int32([3], lengths), ...angles],
    });
    for (const [b, length] of lengths.entries()) {
      const own = tensors.map((x) => entry(x, b));
      const inputs = [...own, ...LOCAL, int32([1], [length]), int32([1], [length]), ...angles];
      for (const [i, alone] of (await run({ attributes, inputs })).entries())
        assert.is(difference(entry(all[i] as TensorValue, b), alone, TOLERANCE), undefined);
    }
  });

test('a prompt whose mask is divided is what a loop in double precision computes', async () => {
  const [heads, size, rows, length, blockSize] = [64, 2, 272, 1100, 64];
  const layouts = [
    [[0], [1], [0, 2], [1, 3], [4]],
    [[0], [0, 1], [2], [0, 3], [1, 4]],
  ];
  const starts = layouts.map((layout) => [0, ...layout.map((_, i) => layout.slice(0, i + 1).flat().length)]);
  const [query, key, value] = [heads * size, size, size].map((width) => floats([1, rows, width])) as TensorValue[];
  const cache = () => tensor('float32', [1, 1, length, size], new Array<number>(length * size).fill(0));
  const columns = layouts.map((layout) => [...layout.flat(), -1, -1].slice(0, 8));
  const inputs = [
    ...([query, key, value] as TensorValue[]),
    ...[cache(), cache()],
    ...[int32([2, 6], starts.flat()), int32([2, 8], columns.flat()), int32([], [rows]), int32([1], [rows])],
  ];
  const attributes = { num_heads: heads, kv_num_heads: 1, sparse_block_size: blockSize };
  const [y] = await run({ attributes, inputs });
  const [q, k, v] = [query, key, value].map((x) => x?.data as Float32Array) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  const expected = new Float64Array(rows * heads * size);
  for (let row = 0; row < rows; row++)
    for (let head = 0; head < heads; head++) {
      const at = (row * heads + head) * size;
      const blocks: readonly number[] = layouts[head % 2]?.[Math.floor(row / blockSize)] ?? [];
      let sum = 0;
      for (let j = 0; j <= row; j++) {
        if (!blocks.includes(Math.floor(j / blockSize))) continue;
        const score = [0, 1].reduce((s, d) => s + (q[at + d] as number) * (k[j * size + d] as number), 0);
        const weight = Math.exp(score / Math.sqrt(size));
        sum += weight;
        for (let d = 0; d < size; d++) (expected[at + d] as number) += weight * (v[j * size + d] as number);
      }
      for (let d = 0; d < size; d++) (expected[at + d] as number) /= sum;
    }
  const wanted = tensor('float32', [1, rows, heads * size], [...expected]);
  assert.is(difference(y as TensorValue, wanted, TOLERANCE), undefined);
});

test.run();
