import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readNpy, writeNpy } from '../../src/tensor/npy.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { readNpz } from '../../src/tensors/index.js';
import { expectError } from '../expect-error.js';
import {
  FILES,
  REFUSED as NOT_FOR_TENSORS,
  SAVEZ,
  SAVEZ_COMPRESSED,
  STRINGS,
  VERSION_2,
  VERSION_3,
} from './numpy-files.js';

const test = suite('.npy');

/** A file of format version 1, 2 or 3. */
function npy(header: string, data: number[], version = 1): Uint8Array {
  const length = version === 1 ? [header.length, 0] : [header.length, 0, 0, 0];
  const text = Array.from(header, (character) => character.charCodeAt(0));
  return Uint8Array.of(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, version, 0, ...length, ...text, ...data);
}

/** The tensor in a file, as a plain object. */
const read = (file: Uint8Array): TensorValue => {
  const { type, dims, data } = readNpy(file);
  return { type, dims, data };
};

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

test('a file of NumPy, column-major float16', () => {
  const file =
    'k05VTVBZAQB2AHsnZGVzY3InOiAnPGYyJywgJ2ZvcnRyYW5fb3JkZXInOiBUcnVlLCAnc2hhcGUnOiAoMiwgMyksIH0gICAgICAgICAgICAgICAg' +
    'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoAAABCADwARABAAEU=';
  const expected = new Uint16Array([0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500]);
  assert.equal(read(fromBase64(file)), { type: 'float16', dims: [2, 3], data: expected });
});

test('what NumPy writes is written to the byte', () => {
  const file =
    'k05VTVBZAQB2AHsnZGVzY3InOiAnPGk4JywgJ2ZvcnRyYW5fb3JkZXInOiBGYWxzZSwgJ3NoYXBlJzogKDIsKSwgfSAgICAgICAgICAgICAgICAg' +
    'ICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgIAoBAAAAAAAAAAAAAAAAAACA';
  const value: TensorValue = { type: 'int64', dims: [2], data: new BigInt64Array([1n, -(2n ** 63n)]) };
  assert.equal(writeNpy(value), fromBase64(file));
  assert.equal(read(fromBase64(file)), value);
});

test('versions 2 and 3, native byte order, other spacing', () => {
  for (const version of [1, 2, 3]) {
    const file = npy("{'fortran_order':False,'shape':(2,1),'descr':'=i2'}", [1, 0, 255, 255], version);
    assert.equal(read(file), { type: 'int16', dims: [2, 1], data: new Int16Array([1, -1]) });
  }
});

const VALUES: readonly TensorValue[] = [
  { type: 'bool', dims: [], data: new Uint8Array([1]) },
  { type: 'uint8', dims: [0, 3], data: new Uint8Array() },
  { type: 'float32', dims: [3, 1], data: new Float32Array([1, -0.5, Number.POSITIVE_INFINITY]) },
  { type: 'float64', dims: [1, 1, 2], data: new Float64Array([0.1, 1e300]) },
  { type: 'uint64', dims: [1], data: new BigUint64Array([2n ** 64n - 1n]) },
  { type: 'complex64', dims: [1], data: new Float32Array([1, 2]) },
];

for (const value of VALUES)
  test(`${value.type}[${value.dims}] written and read`, () => assert.equal(read(writeNpy(value)), value));

const REFUSED: readonly [what: string, message: RegExp, file: Uint8Array][] = [
  ['other bytes', /no \.npy file/, new Uint8Array(20)],
  ['a cut header', /header is cut short/, npy("{'descr': '<f4'", []).subarray(0, 15)],
  ['a header that is not understood', /is not understood/, npy("{'descr': 'x', 'shape': ()}", [])],
  ['objects', /dtype "\|O" is not supported/, npy("{'descr': '|O', 'fortran_order': False, 'shape': ()}", [])],
  [
    'too little data',
    /takes 8 bytes; 4 follow/,
    npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", [0, 0, 0, 0]),
  ],
  [
    'an absurd shape',
    /is too large/,
    npy(`{'descr': '<f4', 'fortran_order': False, 'shape': (${'9'.repeat(30)},)}`, []),
  ],
];

for (const [what, message, file] of REFUSED)
  test(`${what}: refused`, () => expectError('INVALID_VALUE', message, () => readNpy(file)));

test('sub-byte types have no dtype', () => {
  expectError('INVALID_TYPE', /no type for int4/, () => writeNpy({ type: 'int4', dims: [2], data: new Int8Array(1) }));
});

for (const [what, type, dims, data, file] of FILES)
  test(`a file of NumPy: ${what}`, () => assert.equal(read(fromBase64(file)), { type, dims, data }));

for (const [what, message, file] of NOT_FOR_TENSORS)
  test(`a file of NumPy: ${what} are refused`, () =>
    expectError('INVALID_VALUE', message, () => readNpy(fromBase64(file))));

test('NumPy’s versions 2 and 3', () => {
  for (const file of [VERSION_2, VERSION_3]) assert.equal(read(fromBase64(file)).data, Int8Array.of(1, 2, 3));
});

test('strings are written as NumPy writes them, to the byte', () => {
  const strings: TensorValue = { type: 'string', dims: [3], data: ['añ😀', '', 'b'] };
  assert.equal(writeNpy(strings), fromBase64(STRINGS));
  const none: TensorValue = { type: 'string', dims: [0, 2], data: [] };
  assert.equal(read(writeNpy(none)), none);
});

test('the arrays of numpy.savez and savez_compressed', () => {
  for (const file of [SAVEZ, SAVEZ_COMPRESSED]) {
    const { x, names, ...others } = readNpz(fromBase64(file));
    assert.equal(x?.data, Float32Array.of(1, 2));
    assert.equal(names?.data, ['a', 'bc']);
    assert.equal(others, {});
  }
  expectError('INVALID_VALUE', /no \.npz file/, () => readNpz(new Uint8Array(30)));
  expectError('INVALID_VALUE', /no \.npz file/, () => readNpz(fromBase64(SAVEZ).subarray(0, 300)));
});

test.run();
