import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { int, int64s } from '../../values.js';
import { runNode } from '../one-node.js';

const test = suite('less usual types');

const shown = ({ type, dims, data }: TensorValue) => `${type}[${dims}] ${[...data].join(' ')}`;
const half = (...bits: number[]) => tensor('float16', [bits.length], Uint16Array.from(bits));
const complex = (...parts: number[]) => tensor('complex64', [parts.length / 2], parts);
const words = (...values: string[]) => tensor('string', [values.length], values);
const [ONE, MINUS_TWO, NAN] = [0x3c00, 0xc000, 0x7e00];

test('Unique orders halves by value, NaN last, −0 as 0, and complex numbers by both parts', async () => {
  const unique = (x: TensorValue) => runNode('Unique', { inputs: [x], outputs: 4 });
  assert.equal((await unique(half(NAN, ONE, MINUS_TWO, 0x8000, NAN, 0))).map(shown), [
    `float16[4] ${MINUS_TWO} ${0x8000} ${ONE} ${NAN}`,
    'int64[4] 2 3 1 0',
    'int64[6] 3 2 0 1 3 1',
    'int64[4] 1 2 1 2',
  ]);
  assert.equal((await unique(complex(1, 2, 1, 1, 1, 2))).map(shown), [
    'complex64[2] 1 1 1 2',
    'int64[2] 1 0',
    'int64[3] 1 0 1',
    'int64[2] 1 2',
  ]);
});

test('NonZero finds NaN and complex numbers of one part', async () => {
  const nonZero = async (x: TensorValue) => shown((await runNode('NonZero', { inputs: [x] }))[0] as TensorValue);
  assert.is(await nonZero(tensor('float32', [3], [0, Number.NaN, 2])), 'int64[1,2] 1 2');
  assert.is(await nonZero(complex(0, 0, 0, 3, 4, 5)), 'int64[1,2] 1 2');
});

test('Where and Scatter take complex numbers whole', async () => {
  const [chosen] = await runNode('Where', {
    inputs: [tensor('bool', [3], [1, 0, 1]), complex(1, 2, 3, 4, 5, 6), complex(-1, -2)],
  });
  assert.is(shown(chosen as TensorValue), 'complex64[3] 1 2 -1 -2 5 6');
  for (const op of ['ScatterElements', 'ScatterND']) {
    const indices = op === 'ScatterND' ? tensor('int64', [2, 1], [2, 0]) : int64s([2, 0]);
    const [y] = await runNode(op, { inputs: [complex(1, 2, 3, 4, 5, 6), indices, complex(7, 8, 9, 10)] });
    assert.is(shown(y as TensorValue), 'complex64[3] 9 10 3 4 7 8', op);
  }
});

for (const op of ['ScatterElements', 'ScatterND']) {
  const indices = op === 'ScatterND' ? tensor('int64', [2, 1], [1, 0]) : int64s([1, 0]);
  const scattered = (x: TensorValue, updates: TensorValue, reduction: string) =>
    runNode(op, { inputs: [x, indices, updates], attributes: { reduction } });

  test(`${op} adds and multiplies complex numbers, and joins strings`, async () => {
    const [x, updates] = [complex(1, 2, 3, 1, 2, 3), complex(7, 8, 7, 8)];
    assert.is(shown((await scattered(x, updates, 'add'))[0] as TensorValue), 'complex64[3] 8 10 10 9 2 3');
    assert.is(shown((await scattered(x, updates, 'mul'))[0] as TensorValue), 'complex64[3] -9 22 13 31 2 3');
    const [a, b] = [words('a', 'b', 'c'), words('x', 'y')];
    assert.is(shown((await scattered(a, b, 'add'))[0] as TensorValue), 'string[3] ay bx c');
  });

  test(`${op} refuses products of strings, and the least of what has no order`, async () => {
    const strings = [words('a', 'b', 'c'), words('x', 'y')] as const;
    for (const [[x, updates], reduction] of [
      [strings, 'mul'],
      [strings, 'max'],
      [[complex(1, 2, 3, 1, 2, 3), complex(7, 8, 7, 8)], 'min'],
    ] as const) {
      const refused = `reduction "${reduction}" does not support ${x.type}`;
      await expectRejection('INVALID_TYPE', new RegExp(refused), scattered(x, updates, reduction));
    }
  });
}

test('Scatter adds 64-bit integers exactly', async () => {
  for (const type of ['uint64', 'int64'] as const) {
    const inputs = [tensor(type, [1], [2n ** 60n + 1n]), int64s([0, 0]), tensor(type, [2], [2n, 4n])];
    const [y] = await runNode('ScatterElements', { inputs, attributes: { reduction: 'add' } });
    assert.is(shown(y as TensorValue), `${type}[1] ${2n ** 60n + 7n}`);
  }
});

test('Scatter multiplies integers modulo their range', async () => {
  for (const [type, x, expected] of [
    ['uint32', 4294967279, 323],
    ['uint8', 255, 237],
  ] as const) {
    const factors = type === 'uint32' ? [4294967277] : [255, 255, 255, 255, 255, 255, 255, 237];
    const inputs = [tensor(type, [1], [x]), int64s(factors.map(() => 0)), tensor(type, [factors.length], factors)];
    const [y] = await runNode('ScatterElements', { inputs, attributes: { reduction: 'mul' } });
    assert.is(shown(y as TensorValue), `${type}[1] ${expected}`);
  }
});

/** Cubic weights with a = −0.75 at a quarter: w(0.75) + w(1.75) = 0.2266, of 255 that is 57.8. */
test('Resize rounds integers and stays in their range', async () => {
  const scales = tensor('float32', [1], [2]);
  const resize = async (mode: string, x: TensorValue) =>
    shown((await runNode('Resize', { inputs: [x, null, scales], attributes: { mode } }))[0] as TensorValue);
  assert.is(await resize('linear', tensor('uint8', [2], [1, 4])), 'uint8[4] 1 2 3 4');
  assert.is(await resize('cubic', tensor('uint8', [4], [0, 0, 255, 255])), 'uint8[8] 0 0 0 58 197 255 255 255');
  assert.is(await resize('linear', tensor('int8', [2], [-3, -1])), 'int8[4] -3 -2 -2 -1');
});

test('Range counts 64-bit integers exactly', async () => {
  const inputs = [int(2n ** 60n + 5n), int(2n ** 60n), int(-2n)];
  const [y] = await runNode('Range', { inputs });
  assert.is(shown(y as TensorValue), `int64[3] ${2n ** 60n + 5n} ${2n ** 60n + 3n} ${2n ** 60n + 1n}`);
});

const cast = async (x: TensorValue, to: number, attributes = {}) =>
  shown((await runNode('Cast', { inputs: [x], attributes: { to, ...attributes }, opset: 25 }))[0] as TensorValue);

test('casts to packed integers keep the lowest bits', async () => {
  const wide = int64s([2n ** 60n + 3n, -7n, -(2n ** 63n)]);
  assert.is(await cast(wide, 22), `int4[3] ${0x93 - 256} 0`);
  assert.is(await cast(wide, 25), `uint2[3] ${0b000111}`);
});

test('numbers become plain decimals', async () => {
  const numbers = tensor('float32', [5], [314.15926, 1e-7, -2.5e22, 1, 0.1]);
  assert.is(await cast(numbers, 8), 'string[5] 314.15927 0.0000001 -25000000000000000000000 1 0.1');
  assert.is(await cast(words('1e-5', '-inf'), 11), 'float64[2] 0.00001 -Infinity');
  assert.is(await cast(words('+INF', 'NaN'), 10), `float16[2] ${0x7c00} ${NAN}`);
});

/** The table at https://onnx.ai/onnx/operators/onnx__Cast.html: what 0 and too large or too small a number become. */
test('casts to float8e8m0 round and saturate', async () => {
  const x = tensor('float64', [5], [0, 2 ** -130, 1.5, 3, 2 ** 128]);
  const codes = { up: [128, 129], down: [127, 128], nearest: [128, 129] };
  for (const [round_mode, [a, b]] of Object.entries(codes)) {
    assert.is(await cast(x, 24, { round_mode }), `float8e8m0[5] 0 0 ${a} ${b} 254`);
    assert.is(await cast(x, 24, { round_mode, saturate: 0 }), `float8e8m0[5] 255 255 ${a} ${b} 255`);
  }
});

test('Split leaves the last parts empty where there is too little', async () => {
  const type: ElementType = 'float32';
  const parts = await runNode('Split', {
    inputs: [tensor(type, [5], [1, 2, 3, 4, 5])],
    attributes: { num_outputs: 4 },
    outputs: 4,
  });
  assert.equal(parts.map(shown), ['float32[2] 1 2', 'float32[2] 3 4', 'float32[1] 5', 'float32[0] ']);
});

test.run();
