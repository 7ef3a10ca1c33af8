import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ErrorCode } from '../../src/base/errors.js';
import { tensor } from '../../src/builder/index.js';
import { type ElementType, Tensor } from '../../src/index.js';
import { expectError } from '../expect-error.js';

const test = suite('tensors');

const HOLE = [1, 2, 3];
delete HOLE[1];

/** Lists that a type does not hold, and what is said of them. */
const REFUSED: readonly (readonly [type: ElementType, list: readonly unknown[], message: RegExp])[] = [
  [
    'float32',
    [
      [1, 2],
      [3, 4],
    ],
    /element 0 is an array: pass one flat list.*\[1, 2, 3, 4\] with dims \[2, 2\]/,
  ],
  ['float32', [Float32Array.of(1)], /element 0 is an array|flat list/],
  ['float32', ['1', 'a'], /float32 takes numbers, e\.g\. data\.map\(Number\).*element 0 is "1"/],
  ['float32', [1, undefined], /float32 takes numbers.*element 1 is undefined/],
  ['float32', [1, null], /element 1 is null/],
  ['float32', HOLE, /element 1 is missing/],
  ['float32', [true], /element 0 is true/],
  ['float32', [1n], /float32 takes numbers.*element 0 is 1n/],
  ['float16', ['1'], /float16.*element 0 is "1"/],
  ['bfloat16', [{}], /element 0 is an object/],
  ['float8e5m2', [[]], /element 0 is an array/],
  ['uint8', [300, -1], /uint8 holds whole numbers from 0 to 255.*element 0 is 300/],
  ['uint8', [3, -1], /uint8.*element 1 is -1/],
  ['int8', [-129], /from -128 to 127/],
  ['uint16', [65536], /from 0 to 65535/],
  ['int16', [32768], /from -32768 to 32767/],
  ['int32', [1.5], /int32 holds whole numbers from -2147483648 to 2147483647, e\.g\. 2.*element 0 is 1\.5/],
  ['int32', [Number.NaN], /int32.*element 0 is NaN/],
  ['int32', [2 ** 31], /element 0 is 2147483648/],
  ['uint32', [Number.POSITIVE_INFINITY], /uint32 holds whole numbers from 0 to 4294967295.*element 0 is Infinity/],
  ['int32', [1n], /int32 takes numbers.*element 0 is 1n/],
  ['int64', [1.5], /int64 holds whole numbers.*element 0 is 1\.5/],
  ['int64', [Number.NaN], /element 0 is NaN/],
  ['int64', [2n ** 63n], /int64 holds .* to 9223372036854775807.*element 0 is 9223372036854775808n/],
  ['int64', [2 ** 53], /int64 needs bigints from 2\^53 on.*element 0 is 9007199254740992/],
  ['int64', ['1'], /int64 takes bigints, e\.g\. data\.map\(BigInt\).*element 0 is "1"/],
  ['uint64', [-1n], /uint64 holds whole numbers from 0.*element 0 is -1n/],
  ['uint64', [2n ** 64n], /to 18446744073709551615/],
  ['bool', ['false'], /bool takes true, false, 1 and 0.*element 0 is "false"/],
  ['bool', [2], /element 0 is 2/],
  ['string', ['a', 1], /string takes strings, e\.g\. data\.map\(String\).*element 1 is 1/],
  ['string', [['a']], /flat list/],
  ['int4', [8], /int4 holds whole numbers from -8 to 7.*element 0 is 8/],
  ['uint2', [4], /from 0 to 3/],
];

for (const [type, list, message] of REFUSED)
  test(`${type} of ${list.map((entry) => (typeof entry === 'bigint' ? `${entry}n` : JSON.stringify(entry)))} is refused`, () => {
    expectError('INVALID_VALUE', message, () => new Tensor(type, list as never));
    expectError('INVALID_VALUE', message, () => tensor(type, [list.length], list as never));
  });

/** Lists of elements, and the entries that they are stored as: IEEE 754, or ONNX's tables of its smaller types. */
const STORED: readonly (readonly [
  type: ElementType,
  list: readonly (number | bigint | boolean)[],
  ArrayLike<unknown>,
])[] = [
  ['float32', [1, Number.NaN, 1e39, -1e39], Float32Array.of(1, Number.NaN, Infinity, -Infinity)],
  ['float64', [0.1], Float64Array.of(0.1)],
  ['float16', [1, -2, 65519, 65520, -1e9, Number.NaN], Uint16Array.of(0x3c00, 0xc000, 0x7bff, 0x7c00, 0xfc00, 0x7e00)],
  ['bfloat16', [1, -2, 1e39, -1e39], Uint16Array.of(0x3f80, 0xc000, 0x7f80, 0xff80)],
  ['float8e4m3fn', [1, -2, 1e9], Uint8Array.of(0x38, 0xc0, 0x7e)],
  ['float8e5m2', [1, 1e9], Uint8Array.of(0x3c, 0x7b)],
  ['float4e2m1', [1, -6, 0.5], Uint8Array.of(0xf2, 0x01)],
  ['int4', [1, -8, 7], Int8Array.of(-127, 7)],
  ['uint4', [1, 15], Uint8Array.of(0xf1)],
  ['int2', [1, -2, 0, -1, 1], Int8Array.of(0b11001001 - 256, 1)],
  ['bool', [true, 0, 1, false], Uint8Array.of(1, 0, 1, 0)],
  ['int64', [1, -2n, 2 ** 53 - 1], BigInt64Array.of(1n, -2n, 9007199254740991n)],
  ['uint64', [2n ** 64n - 1n], BigUint64Array.of(2n ** 64n - 1n)],
  ['uint8', [0, 255], Uint8Array.of(0, 255)],
];

for (const [type, list, stored] of STORED)
  test(`${type}: one entry of a list is one element`, () => {
    const x = new Tensor(type, list as never);
    assert.equal([...x.data], Array.from(stored));
    assert.is(x.data.constructor, stored.constructor);
    assert.equal([x.dims, x.size], [[list.length], list.length]);
    assert.equal([...tensor(type, [list.length], list).data], Array.from(stored));
  });

test('the type follows from the data', () => {
  const types = [[1.5], [1n], [true], ['a'], [], new Int16Array(1), new Uint8ClampedArray(1)].map(
    (data) => new Tensor(data as number[]).type as ElementType,
  );
  assert.equal(types, ['float32', 'int64', 'bool', 'string', 'float32', 'int16', 'uint8']);
  expectError('INVALID_VALUE', /float32.*element 1 is "a"/, () => new Tensor([1, 'a'] as never));
  expectError('INVALID_VALUE', /element 0 is an array/, () => new Tensor([[1], [2]] as never));
  expectError(
    'INVALID_TYPE',
    /no element type for DataView/,
    () => new Tensor(new DataView(new ArrayBuffer(4)) as never),
  );
});

test('packed elements and complex numbers are counted where dims are left out', () => {
  assert.equal(new Tensor('int4', new Int8Array(2)).dims, [4]);
  assert.equal(new Tensor('complex64', [1, 2, 3, 4]).dims, [2]);
  expectError(
    'INVALID_SHAPE',
    /complex64\[1\] holds 2 entries, the data has 3/,
    () => new Tensor('complex64', [1, 2, 3]),
  );
});

const DIMS: readonly (readonly [dims: unknown, message: RegExp])[] = [
  [3, /dims must be an array of integers, e\.g\. \[2, 3\]; got 3/],
  ['2', /got "2"/],
  [[2.5], /dims\[0\] is 2\.5/],
  [[2, -1], /non-negative integers: dims\[1\] is -1/],
  [[2n], /e\.g\. dims\.map\(Number\): dims\[0\] is 2n/],
  [['2'], /e\.g\. dims\.map\(Number\): dims\[0\] is "2"/],
  [[Number.NaN], /dims\[0\] is NaN/],
  [Int32Array.of(2), /got Int32Array/],
  [[3], /float32\[3\] holds 3 entries, the data has 2/],
];

for (const [dims, message] of DIMS)
  test(`dims ${typeof dims} ${String(dims)} are refused`, () => {
    expectError('INVALID_SHAPE', message, () => new Tensor('float32', [1, 2], dims as never));
    expectError('INVALID_SHAPE', message, () => new Tensor('float32', [1, 2]).reshape(dims as never));
  });

const MISFITS: readonly (readonly [type: unknown, data: unknown, code: ErrorCode, message: RegExp])[] = [
  [
    'float32',
    new Float64Array(1),
    'INVALID_TYPE',
    /float32 needs Float32Array or a list; got Float64Array: pass Float32Array\.from\(data\)/,
  ],
  ['int64', new Int32Array(1), 'INVALID_TYPE', /got Int32Array: pass BigInt64Array\.from\(data, BigInt\)/],
  [
    'float16',
    new Float32Array(1),
    'INVALID_TYPE',
    /float16 needs Uint16Array or a list; got Float32Array: pass Array\.from\(data\)/,
  ],
  ['int8', new Uint8ClampedArray(1), 'INVALID_TYPE', /int8 needs Int8Array/],
  ['float32', new ArrayBuffer(4), 'INVALID_TYPE', /got ArrayBuffer$/],
  ['float32', undefined, 'INVALID_TYPE', /got undefined/],
  ['string', 'text', 'INVALID_TYPE', /string needs an array of strings or a list; got "text"/],
  ['string', new Int8Array(1), 'INVALID_TYPE', /string needs an array of strings or a list; got Int8Array/],
  ['int32', new BigInt64Array(1), 'INVALID_TYPE', /got BigInt64Array: pass Int32Array\.from\(data, Number\)/],
  ['bool', new Float32Array(1), 'INVALID_TYPE', /bool needs Uint8Array or a list; got Float32Array/],
  ['int4', new Float32Array(1), 'INVALID_TYPE', /pass Array\.from\(data\)/],
  ['float32', Buffer.alloc(4), 'INVALID_TYPE', /got Buffer$/],
  ['float32', Promise.resolve([1]), 'INVALID_TYPE', /got a Promise: did you forget await\?$/],
  ['float', [1], 'INVALID_TYPE', /unknown element type "float"; known: float32/],
  ['toString', [1], 'INVALID_TYPE', /unknown element type "toString"/],
  [undefined, undefined, 'INVALID_TYPE', /e\.g\. new Tensor\('float32', \[1, 2, 3, 4\], \[2, 2\]\)/],
];

for (const [type, data, code, message] of MISFITS)
  test(`${String(type)} of ${(data as object)?.constructor.name} is refused`, () =>
    expectError(code, message, () => new Tensor(type as never, data as never)));

test('what the caller keeps cannot change dims; data are used as they are', () => {
  const [data, dims] = [Float32Array.of(1, 2), [2, 1]];
  const x = new Tensor('float32', data, dims);
  dims[0] = 9;
  assert.equal(x.dims, [2, 1]);
  assert.is(x.data, data);
  assert.is(x.reshape([2]).data, data);
  assert.throws(() => (x.dims as number[]).push(1));
});

test.run();
