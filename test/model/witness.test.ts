import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Attribute, Value } from '../../src/graph/graph.js';
import { formatType } from '../../src/graph/types.js';
import { verifyModel } from '../../src/graph/verify.js';
import { readModel } from '../../src/model/read-model.js';
import { writeModel } from '../../src/model/write-model.js';
import { initializers } from './initializers.js';
import { WITNESS } from './witness.js';

type GraphAttribute = Extract<Attribute, { type: 'graph' }>;

const test = suite('a model of another maker');

const EXPECTED: readonly [name: string, type: string, dims: number[], data: ArrayLike<unknown>][] = [
  ['f32', 'float32', [2], new Float32Array([1.5, -2.25])],
  ['u8', 'uint8', [2], new Uint8Array([0, 255])],
  ['i8', 'int8', [2], new Int8Array([-128, 127])],
  ['u16', 'uint16', [2], new Uint16Array([0, 65535])],
  ['i16', 'int16', [2], new Int16Array([-32768, 32767])],
  ['i32', 'int32', [2], new Int32Array([-(2 ** 31), 2 ** 31 - 1])],
  ['i64', 'int64', [2], new BigInt64Array([-(2n ** 63n), 2n ** 63n - 1n])],
  ['str', 'string', [2], ['a', 'é']],
  ['bool', 'bool', [3], new Uint8Array([1, 0, 1])],
  ['f16', 'float16', [2], new Uint16Array([0x3c00, 0xc000])],
  ['f64', 'float64', [2], new Float64Array([0.1, -1e300])],
  ['u32', 'uint32', [2], new Uint32Array([0, 2 ** 32 - 1])],
  ['u64', 'uint64', [2], new BigUint64Array([1n, 2n ** 64n - 1n])],
  ['c64', 'complex64', [2], new Float32Array([1, 2, -3, -4])],
  ['c128', 'complex128', [1], new Float64Array([0.5, -0.25])],
  ['bf16', 'bfloat16', [2], new Uint16Array([0x3f80, 0xc000])],
  ['scalar', 'float32', [], new Float32Array([3])],
  ['none', 'int64', [0, 3], new BigInt64Array(0)],
  ['raw_f32', 'float32', [2], new Float32Array([1.5, -2.25])],
  ['raw_i64', 'int64', [2], new BigInt64Array([-(2n ** 63n), 2n ** 63n - 1n])],
  ['raw_f16', 'float16', [2], new Uint16Array([0x3c00, 0xc000])],
  ['raw_bool', 'bool', [3], new Uint8Array([1, 0, 1])],
  ['raw_u64', 'uint64', [2], new BigUint64Array([1n, 2n ** 64n - 1n])],
  ['raw_c64', 'complex64', [2], new Float32Array([1, 2, -3, -4])],
  ['raw_i16', 'int16', [2, 1], new Int16Array([-32768, 32767])],
  ['raw_f64', 'float64', [], new Float64Array([0.1])],
  ['sparse', 'float32', [2, 3], new Float32Array([0, 7, 0, 0, 0, 8])],
];

test('every initializer has its values', () => {
  const found = initializers(WITNESS);
  assert.equal(
    [...found.keys()],
    EXPECTED.map(([name]) => name),
  );
  for (const [name, type, dims, data] of EXPECTED) assert.equal(found.get(name), { type, dims, data }, name);
});

for (const [label, model] of [
  ['as read', readModel(WITNESS)],
  ['written and read again', readModel(writeModel(readModel(WITNESS)))],
] as const) {
  test(`its structure, ${label}`, () => {
    verifyModel(model);
    assert.is(model.irVersion, 8);
    assert.is(model.producer, 'python');
    assert.equal(
      [...model.opsets],
      [
        ['', 16],
        ['my', 1],
      ],
    );
    assert.equal([...model.metadata], [['key', 'value']]);
    assert.is(model.graph.name, 'witness');
    const describe = (values: readonly Value[]) => values.map(({ name, type }) => `${name}: ${formatType(type)}`);
    assert.equal(describe(model.graph.inputs), [
      'x: float32[n,?1,2]',
      'c: bool[]',
      'seq: seq(int64[…])',
      'opt: optional(float32[n])',
      'map: map(string,float32[])',
    ]);
    assert.equal(describe(model.graph.outputs), ['y: float32[n,?2,2]', 'z: sparse(float32[2,3])']);
  });

  test(`its nodes, ${label}`, () => {
    const [choose, thing] = model.graph.nodes;
    assert.is(choose?.name, 'choose');
    const branches = choose?.attributes as Record<string, GraphAttribute>;
    assert.is(
      branches.then_branch?.value.nodes[0]?.inputs[0],
      model.graph.inputs[0],
      'the outer value itself is captured',
    );
    assert.is(branches.else_branch?.value.nodes[0]?.domain, 'my');
    assert.is(thing?.name, 'Thing_3');
    assert.equal(thing?.inputs, [null, model.graph.inputs[0]]);
    assert.equal(thing?.outputs, [null, model.graph.outputs[1]]);
    assert.equal(thing?.attributes, {
      f: { type: 'float', value: 0.5 },
      i: { type: 'int', value: -7 },
      s: { type: 'string', value: 'text' },
      fs: { type: 'floats', value: [1, 2.5] },
      ins: {
        type: 'ints',
        value: [1, -(2 ** 63), 2 ** 63],
        exact: ['1', '-9223372036854775808', '9223372036854775807'],
      },
      ss: { type: 'strings', value: ['a', 'b'] },
      t: { type: 'tensor', value: { type: 'float32', dims: [2], data: new Float32Array([1.5, -2.25]) } },
    });
  });

  test(`its function, ${label}`, () => {
    const [local, ...others] = model.functions;
    assert.is(others.length, 0);
    assert.is(`${local?.domain}.${local?.name}`, 'my.local');
    assert.equal(local?.attributes, ['alpha']);
    assert.equal(local?.graph.nodes[0]?.attributes, { alpha: { type: 'reference', value: 'alpha', of: 'float' } });
  });
}

test.run();
