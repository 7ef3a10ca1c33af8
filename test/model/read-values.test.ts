import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ValueType } from '../../src/graph/types.js';
import { readValue } from '../../src/model/read-values.js';
import { writeValue } from '../../src/model/write-values.js';
import type { HostValue } from '../../src/tensor/tensor-value.js';
import { expectError } from '../expect-error.js';

const test = suite('values of test data');

const float32 = (...data: number[]) => ({ type: 'float32', dims: [], data: new Float32Array(data) });

/** Files as Python's onnx 1.12 writes them. */
const CASES: readonly [what: string, kind: ValueType['kind'], hex: string, expected: unknown][] = [
  ['a tensor', 'tensor', '0801080210034201744a020102', { type: 'int8', dims: [1, 2], data: new Int8Array([1, 2]) }],
  [
    'a sequence',
    'sequence',
    '0a017310011a16080210074a10010000000000000002000000000000001a06080010074a00',
    [
      { type: 'int64', dims: [2], data: new BigInt64Array([1n, 2n]) },
      { type: 'int64', dims: [0], data: new BigInt64Array(0) },
    ],
  ],
  ['an empty sequence', 'sequence', '1001', []],
  [
    'an optional',
    'optional',
    '0a016f10011a0a080110014a040000c03f',
    { type: 'float32', dims: [1], data: new Float32Array([1.5]) },
  ],
  ['an absent optional', 'optional', '0a016f1000', null],
  [
    'a map with integer keys',
    'map',
    '0a016d1007180118fdffffffffffffffff012a1610011a0810014a04000020401a0810014a0400008040',
    new Map([
      [1n, float32(2.5)],
      [-3n, float32(4)],
    ]),
  ],
  [
    'a sequence of maps with string keys',
    'sequence',
    '100432230a016d10082201612201622a1610011a0810014a040000803f1a0810014a0400000040',
    [
      new Map([
        ['a', float32(1)],
        ['b', float32(2)],
      ]),
    ],
  ],
];

const bytes = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));

for (const [what, kind, hex, expected] of CASES) test(what, () => assert.equal(readValue(bytes(hex), kind), expected));

const TYPES: Partial<Record<ValueType['kind'], ValueType>> = {
  optional: { kind: 'optional', of: { kind: 'tensor', element: 'float32' } },
  map: { kind: 'map', key: 'int64', value: { kind: 'tensor', element: 'float32' } },
};

for (const [what, kind, , expected] of CASES)
  test(`${what}, written, is read again`, () => {
    const written = writeValue(expected as HostValue, '', TYPES[kind]);
    assert.equal(readValue(written, kind), expected);
  });

test('what does not fit is refused', () => {
  expectError('INVALID_MODEL', /a map with 1 keys and 0 values/, () => readValue(bytes('10071801'), 'map'));
  expectError('INVALID_MODEL', /a sequence of elem_type 9/, () => readValue(bytes('1009'), 'sequence'));
  expectError('INVALID_MODEL', /invalid tensor \(1 bytes\)/, () => readValue(bytes('08')));
});

/** Both schemas share protobufjs's reader, which the one that is evaluated last sets up. */
const ORDERS = [
  ['build/onnx.js', 'src/model/read-model.ts'],
  ['src/model/read-model.ts', 'build/onnx.js'],
];

for (const order of ORDERS)
  test(`a Buffer of Node is read where ${order[1]} is loaded after ${order[0]}`, () => {
    const program = `${order.map((file) => `await import(${JSON.stringify(new URL(`../../${file}`, import.meta.url))});`).join('\n')}
      const { TensorProto } = await import(${JSON.stringify(new URL('../../build/onnx.js', import.meta.url))});
      const bytes = TensorProto.encode({ dims: [2], dataType: 1, floatData: [1, 2] }).finish();
      console.log(TensorProto.decode(Buffer.from(bytes)).floatData.join());`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    assert.is(stdout, '1,2\n', stderr);
  });

test.run();
