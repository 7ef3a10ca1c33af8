import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { TensorProto } from '../../build/onnx.js';
import { decode } from '../../src/model/read-protobuf.js';
import { readTensor } from '../../src/model/tensors.js';
import { writeTensor } from '../../src/model/write-model.js';
import { ELEMENTS, type ElementType } from '../../src/tensor/element-types.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { expectError } from '../expect-error.js';

const test = suite('tensors');

const read = (proto: TensorProto.$Properties): TensorValue =>
  readTensor(decode(TensorProto, TensorProto.encode(proto).finish(), 'tensor'));

const utf8 = (text: string) => new TextEncoder().encode(text);

/** One case per element type: its typed field, the same as little-endian bytes, and the array that both make. */
const CASES: Record<
  ElementType,
  [dims: number[], typed: TensorProto.$Properties, raw: number[], data: TensorValue['data']]
> = {
  float32: [[2], { floatData: [1, -0.5] }, [0, 0, 128, 63, 0, 0, 0, 191], new Float32Array([1, -0.5])],
  uint8: [[2], { int32Data: [1, 255] }, [1, 255], new Uint8Array([1, 255])],
  int8: [[2], { int32Data: [1, -128] }, [1, 128], new Int8Array([1, -128])],
  uint16: [[2], { int32Data: [1, 65535] }, [1, 0, 255, 255], new Uint16Array([1, 65535])],
  int16: [[2], { int32Data: [1, -2] }, [1, 0, 254, 255], new Int16Array([1, -2])],
  int32: [[1], { int32Data: [-2] }, [254, 255, 255, 255], new Int32Array([-2])],
  int64: [[1], { int64Data: [-2] }, [254, 255, 255, 255, 255, 255, 255, 255], new BigInt64Array([-2n])],
  string: [[2, 1], { stringData: [utf8('ä'), utf8('')] }, [], ['ä', '']],
  bool: [[3], { int32Data: [1, 0, 1] }, [1, 0, 1], new Uint8Array([1, 0, 1])],
  float16: [[2], { int32Data: [0x3c00, 0xc000] }, [0, 0x3c, 0, 0xc0], new Uint16Array([0x3c00, 0xc000])],
  float64: [[1], { doubleData: [-2] }, [0, 0, 0, 0, 0, 0, 0, 192], new Float64Array([-2])],
  uint32: [[1], { uint64Data: [4294967295] }, [255, 255, 255, 255], new Uint32Array([4294967295])],
  uint64: [
    [1],
    { uint64Data: [2 ** 53 - 1] },
    [255, 255, 255, 255, 255, 255, 31, 0],
    new BigUint64Array([2n ** 53n - 1n]),
  ],
  complex64: [[1], { floatData: [1, -0.5] }, [0, 0, 128, 63, 0, 0, 0, 191], new Float32Array([1, -0.5])],
  complex128: [
    [1],
    { doubleData: [0, -2] },
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 192],
    new Float64Array([0, -2]),
  ],
  bfloat16: [[1], { int32Data: [0x3f80] }, [0x80, 0x3f], new Uint16Array([0x3f80])],
  float8e4m3fn: [[2], { int32Data: [0x38, 0xff] }, [0x38, 0xff], new Uint8Array([0x38, 0xff])],
  float8e4m3fnuz: [[2], { int32Data: [0x40, 0x80] }, [0x40, 0x80], new Uint8Array([0x40, 0x80])],
  float8e5m2: [[1], { int32Data: [0x3c] }, [0x3c], new Uint8Array([0x3c])],
  float8e5m2fnuz: [[1], { int32Data: [0x40] }, [0x40], new Uint8Array([0x40])],
  uint4: [[3], { int32Data: [0x21, 0x0f] }, [0x21, 0x0f], new Uint8Array([0x21, 0x0f])],
  int4: [[3], { int32Data: [0xf1, 0x07] }, [0xf1, 0x07], new Int8Array([-15, 7])],
  float4e2m1: [[3, 1], { int32Data: [0x21, 0x0f] }, [0x21, 0x0f], new Uint8Array([0x21, 0x0f])],
  float8e8m0: [[1], { int32Data: [0x7f] }, [0x7f], new Uint8Array([0x7f])],
  uint2: [[5], { int32Data: [0xe4, 0x01] }, [0xe4, 0x01], new Uint8Array([0xe4, 0x01])],
  int2: [[5], { int32Data: [0xe4, 0x01] }, [0xe4, 0x01], new Int8Array([-28, 1])],
};

for (const [name, [dims, typed, raw, data]] of Object.entries(CASES)) {
  const type = name as ElementType;
  const head = { name: 't', dataType: ELEMENTS[type].onnx, dims };
  const expected: TensorValue = { type, dims, data };
  test(`${type} in its typed field`, () => assert.equal(read({ ...head, ...typed }), expected));
  test(`${type} written and read`, () => assert.equal(readTensor(TensorProto.decode(writeTensor(expected))), expected));
  test(`${type} without elements`, () => assert.is(read({ ...head, dims: [0, 2 ** 40] }).data.length, 0));
  test(`${type} too short and too long`, () => {
    const lengths = /\[2,64\] of .* needs \d+ values, got \d/;
    expectError('INVALID_MODEL', lengths, () => read({ ...head, ...typed, dims: [2, 64] }));
    if (type !== 'string') {
      const bytes = /\[1?\] of .* needs \d+ bytes, got 99/;
      for (const short of [[], [1]])
        expectError('INVALID_MODEL', bytes, () => read({ ...head, rawData: new Uint8Array(99), dims: short }));
    }
  });
  if (type !== 'string') {
    test(`${type} as raw data`, () => assert.equal(read({ ...head, rawData: Uint8Array.from(raw) }), expected));
    test(`${type} as raw data at any offset`, () => {
      for (let offset = 0; offset < 16; offset++) {
        const bytes = new Uint8Array(offset + raw.length);
        bytes.set(raw, offset);
        const rawData = bytes.subarray(offset);
        const { data: found } = readTensor(new TensorProto({ ...head, rawData }));
        assert.equal(found, data, `offset ${offset}`);
        const isView = (found as Uint8Array).buffer === bytes.buffer;
        const unit = (found as Uint8Array).BYTES_PER_ELEMENT;
        assert.is(isView, offset % unit === 0, `offset ${offset}: copied only where unaligned`);
      }
    });
  }
}

test('64-bit integers are exact', () => {
  const proto = {
    dims: [3],
    dataType: 7,
    rawData: new Uint8Array(new BigInt64Array([2n ** 53n + 1n, -1n, 0n]).buffer),
  };
  assert.equal(read(proto).data, new BigInt64Array([2n ** 53n + 1n, -1n, 0n]));
  const wire = Uint8Array.of(8, 1, 16, 7, 0x3a, 10, 0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01);
  assert.equal(readTensor(decode(TensorProto, wire, 'tensor')).data, new BigInt64Array([-(2n ** 63n) + 1n]));
});

const REFUSED: readonly [what: string, message: RegExp, proto: TensorProto.$Properties][] = [
  ['no element type', /value "t": has no element type/, { name: 't' }],
  ['an unknown element type', /element type 99/, { name: 't', dataType: 99 }],
  ['a negative dimension', /value "t": has the invalid dimension -1/, { name: 't', dataType: 1, dims: [-1] }],
  ['more than 4 GiB', /exceeds 4 GiB/, { dataType: 1, dims: [2 ** 16, 2 ** 15] }],
  ['a size beyond 2⁵³', /exceeds 4 GiB/, { dataType: 2, dims: [2 ** 40, 2 ** 40] }],
  ['a size beyond all doubles', /exceeds 4 GiB/, { dataType: 2, dims: new Array(40).fill(2 ** 50) }],
  ['segments', /segments/, { dataType: 1, dims: [1], segment: { begin: 0, end: 1 } }],
  ['strings as raw data', /needs 1 values, got 0/, { dataType: 8, dims: [1], rawData: new Uint8Array(1) }],
];

for (const [what, message, proto] of REFUSED)
  test(`${what} is refused`, () => expectError('INVALID_MODEL', message, () => read(proto)));

test.run();
