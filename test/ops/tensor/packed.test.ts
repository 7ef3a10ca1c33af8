import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ModelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { int64s } from '../../values.js';
import { sessionsOf } from '../stages.js';

const test = suite('moving elements of less than a byte');

const BITS: Partial<Record<ElementType, number>> = { int4: 4, uint4: 4, float4e2m1: 4, int2: 2, uint2: 2 };

/** Codes of elements as packed data, low bits first. */
function packed(type: ElementType, dims: readonly number[], codes: readonly number[]): TensorValue {
  const bits = BITS[type] as number;
  const bytes = new Uint8Array(Math.ceil((codes.length * bits) / 8));
  codes.forEach((code, i) => {
    const bit = i * bits;
    bytes[bit >> 3] = (bytes[bit >> 3] as number) | ((code & (2 ** bits - 1)) << (bit & 7));
  });
  return tensor(type, dims, type.startsWith('int') ? new Int8Array(bytes.buffer) : bytes);
}

interface Case {
  readonly name: string;
  readonly build: (b: ModelBuilder, x: Value, type: ElementType) => Value;
  readonly dims: readonly number[];
  readonly codes: readonly number[];
}

/** All on the codes 1 2 3 / 0 1 2. */
const cases: Case[] = [
  { name: 'Transpose', build: (b, x) => b.op('Transpose', [x]), dims: [3, 2], codes: [1, 0, 2, 1, 3, 2] },
  {
    name: 'Pad',
    build: (b, x, type) =>
      b.op('Pad', [x, b.constant('pads', int64s([0, 1, 1, 0])), b.constant('v', packed(type, [], [2]))]),
    dims: [3, 4],
    codes: [2, 1, 2, 3, 2, 0, 1, 2, 2, 2, 2, 2],
  },
  {
    name: 'ConstantOfShape',
    build: (b, x, type) => b.op('ConstantOfShape', [b.op('Shape', [x])], { value: packed(type, [1], [3]) }),
    dims: [2, 3],
    codes: [3, 3, 3, 3, 3, 3],
  },
  {
    name: 'TensorScatter',
    build: (b, x, type) =>
      b.op('TensorScatter', [x, b.constant('u', packed(type, [2, 1], [0, 3])), b.constant('at', int64s([1, 2]))], {
        axis: 1,
      }),
    dims: [2, 3],
    codes: [1, 0, 3, 0, 1, 3],
  },
  {
    name: 'the rows that Scan takes and stacks',
    build(b, x, type) {
      const body = b.subgraph('body', (g) => {
        const row = g.input('row', type, [3]);
        g.output('same', g.op('Identity', [row]));
      });
      const attributes = { body, num_scan_inputs: 1, scan_input_directions: [1], scan_output_axes: [1] };
      return b.op('Scan', [x], attributes);
    },
    dims: [3, 2],
    codes: [0, 1, 1, 2, 2, 3],
  },
  {
    name: 'the results that Loop stacks',
    build(b, x) {
      const body = b.subgraph('body', (g) => {
        g.input('i', 'int64', []);
        g.output('on', g.op('Identity', [g.input('goes', 'bool', [])]));
        g.output('each', g.op('Transpose', [x]));
      });
      return b.op('Loop', [b.constant('m', tensor('int64', [], [2])), null], { body });
    },
    dims: [2, 3, 2],
    codes: [1, 0, 2, 1, 3, 2, 1, 0, 2, 1, 3, 2],
  },
];

for (const { name, build, dims, codes } of cases)
  test(name, async () => {
    for (const type of Object.keys(BITS) as ElementType[]) {
      const make = (b: ModelBuilder) => void b.output('y', build(b, b.input('x', type, ['n', 3]), type));
      for (const [stage, session] of await sessionsOf(make, 25)) {
        const y = (await session.run({ x: packed(type, [2, 3], [1, 2, 3, 0, 1, 2]) })).y as TensorValue;
        assert.equal([y.type, [...y.dims]], [type, dims], stage);
        assert.equal([...y.data], [...packed(type, dims, codes).data], `${type} ${stage}`);
        await session.release();
      }
    }
  });

test.run();
