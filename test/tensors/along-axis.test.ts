import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Tensor } from '../../src/index.js';
import { Tensor as CommonTensor } from '../../src/onnxruntime/index.js';
import { fromFloat16 } from '../../src/tensor/half.js';
import { argmax, softmax, topK } from '../../src/tensors/index.js';
import { randomFloats } from '../assembly/kernels.js';
import { expectError } from '../expect-error.js';

const test = suite('softmax, argmax, topK');

const DIMS = [3, 5, 4];
const values = randomFloats(60, 7).map((x) => x * 10);
const x = new Tensor('float32', values, DIMS);

/** The elements along an axis, one list for each place of the others, in float64. */
function lists(axis: number): number[][] {
  const place = (axis + 3) % 3;
  const others = [0, 1, 2].filter((other) => other !== place);
  const [m, n] = others.map((other) => DIMS[other] as number) as [number, number];
  return Array.from({ length: m * n }, (_, row) =>
    Array.from({ length: DIMS[place] as number }, (_, k) => {
      const index = [0, 0, 0];
      index[others[0] as number] = Math.floor(row / n);
      index[others[1] as number] = row % n;
      index[place] = k;
      return values[((index[0] as number) * 5 + (index[1] as number)) * 4 + (index[2] as number)] as number;
    }),
  );
}

for (const axis of [-1, 0, 1, 2, -3])
  test(`along axis ${axis}: plain loops`, () => {
    const all = lists(axis);
    const dims = DIMS.filter((_, i) => i !== (axis + 3) % 3);
    const best = argmax(x, axis);
    assert.equal([best.type, best.dims], ['int32', dims]);
    assert.equal(
      [...(best.data as Int32Array)],
      all.map((list) => list.indexOf(Math.max(...list))),
    );
    const sorted = all.map((list) => list.map((value, index) => ({ index, value })).sort((a, b) => b.value - a.value));
    for (const k of [0, 1, 2, 3, 100])
      assert.equal(
        topK(x, k, { axis }),
        sorted.map((list) => list.slice(0, k)),
      );
    const shares = topK(softmax(x, axis), 100, { axis });
    all.forEach((list, row) => {
      const sum = list.reduce((total, value) => total + Math.exp(value), 0);
      for (const { index, value } of shares[row] ?? [])
        assert.ok(Math.abs(value - Math.exp(list[index] as number) / sum) <= 1e-7);
    });
  });

test('many entries, few wanted', () => {
  const many = Float64Array.from(randomFloats(50_000, 3));
  const expected = [...many.keys()].sort((a, b) => (many[b] as number) - (many[a] as number) || a - b).slice(0, 50);
  assert.equal(
    topK(new Tensor(many), 50)[0]?.map(({ index }) => index),
    expected,
  );
  const rising = Float64Array.from({ length: 5000 }, (_, i) => i);
  assert.equal(topK(new Tensor(rising), 2)[0], [
    { index: 4999, value: 4999 },
    { index: 4998, value: 4998 },
  ]);
});

test('labels name the entries, and must be as many', () => {
  const scores = new Tensor('float32', [0.1, 0.7, 0.2], [1, 3]);
  assert.equal(topK(scores, 2, { labels: ['cat', 'dog', 'cow'] }), [
    [
      { index: 1, value: Math.fround(0.7), label: 'dog' },
      { index: 2, value: Math.fround(0.2), label: 'cow' },
    ],
  ]);
  expectError('INVALID_ARGUMENT', /2 labels for 3 along axis -1 of \[1,3\]/, () =>
    topK(scores, 1, { labels: ['a', 'b'] }),
  );
});

test('the first of equals; NaN is the largest', () => {
  const ties = new Tensor('float32', [1, 3, 3, Number.NaN, 3, Number.NaN]);
  assert.equal([...(argmax(ties).data as Int32Array)], [3]);
  assert.equal(
    topK(ties, 4)[0]?.map(({ index }) => index),
    [3, 5, 1, 2],
  );
  assert.equal([...(argmax(new Tensor('float32', [2, 5, 5])).data as Int32Array)], [1]);
});

test('other types: float16, integers, a tensor of any library', () => {
  const half = softmax(new Tensor('float16', [0, Math.log(3)], [2]));
  assert.is(half.type, 'float16');
  assert.equal(Array.from(half.data as Uint16Array, fromFloat16), [0.25, 0.75]);
  assert.is(softmax(new Tensor('float64', [1000, 1000])).data[0], 0.5, 'large scores do not overflow');
  assert.equal([...(argmax(new Tensor('int64', [1n, 9n, 3n])).data as Int32Array)], [1]);
  assert.equal([...(argmax(new CommonTensor('float16', [1, 3, 2], [3])).data as Int32Array)], [1]);
  assert.equal([...(argmax({ type: 'uint8', dims: [2], data: Uint8Array.of(1, 2) }).data as Int32Array)], [1]);
  assert.equal([...(argmax(new Tensor('int4', new Int8Array([0x17]), [2])).data as Int32Array)], [0]);
});

test('what cannot be is refused', () => {
  const words = new Tensor(['a', 'b']);
  expectError('INVALID_TYPE', /elements of type string have no order/, () => argmax(words));
  expectError('INVALID_TYPE', /softmax takes floating-point numbers, not int32/, () =>
    softmax(new Tensor('int32', [1])),
  );
  expectError('INVALID_ARGUMENT', /dims \[3,5,4\] has no axis 3/, () => softmax(x, 3));
  expectError('INVALID_ARGUMENT', /has no axis -4/, () => topK(x, 1, { axis: -4 }));
  expectError('INVALID_ARGUMENT', /has no axis 0.5/, () => argmax(x, 0.5));
  expectError('INVALID_ARGUMENT', /k is how many are wanted, a whole number, not -1/, () => topK(x, -1));
  expectError('INVALID_SHAPE', /axis -1 of dims \[2,0\] is empty/, () => argmax(new Tensor('float32', [], [2, 0])));
  expectError('INVALID_SHAPE', /./, () => argmax({ type: 'float32', dims: [3], data: new Float32Array(2) }));
  assert.equal(topK(new Tensor('float32', [], [2, 0]), 3), [[], []]);
});

test.run();
