import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInputs, tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { randomFloats } from '../../assembly/kernels.js';
import { sessionsOf } from '../stages.js';

const test = suite('tensor movement');

const DIMS = [3, 17, 40, 29];

interface Movement {
  readonly name: string;
  readonly op: string;
  readonly inputs: readonly number[][];
  readonly attributes?: AttributeInputs;
  readonly dims: readonly number[];
  /** Position in the source of each axis for a position in the result; undefined: a zero. */
  readonly from: (at: number[]) => number[] | undefined;
}

const mirrored = (i: number, n: number) => {
  const folded = Math.abs(i) % (2 * n - 2);
  return folded < n ? folded : 2 * n - 2 - folded;
};
const inside = (at: number[]) => (at.every((i, axis) => i >= 0 && i < (DIMS[axis] as number)) ? at : undefined);

const movements: Movement[] = [
  {
    name: 'Slice with steps of both signs',
    op: 'Slice',
    inputs: [
      [-1, 2, 38],
      [-5, 100, 3],
      [1, 3, 2],
      [-2, 3, -5],
    ],
    dims: [3, 2, 7, 9],
    from: ([a, b, c, d]) => [a as number, 16 - 2 * (b as number), 38 - 5 * (c as number), 2 + 3 * (d as number)],
  },
  {
    name: 'Slice of a run in the middle',
    op: 'Slice',
    inputs: [
      [1, 4],
      [2, 9],
      [0, 1],
    ],
    dims: [1, 5, 40, 29],
    from: ([a, b, c, d]) => [(a as number) + 1, (b as number) + 4, c as number, d as number],
  },
  {
    name: 'Slice with a step along the first axis',
    op: 'Slice',
    inputs: [[0], [3], [0], [2]],
    dims: [2, 17, 40, 29],
    from: ([a, b, c, d]) => [2 * (a as number), b as number, c as number, d as number],
  },
  {
    name: 'Slice backwards along the first axis',
    op: 'Slice',
    inputs: [[-1], [-4], [0], [-1]],
    dims: [3, 17, 40, 29],
    from: ([a, b, c, d]) => [2 - (a as number), b as number, c as number, d as number],
  },
  {
    name: 'Slice with a step within one of the first',
    op: 'Slice',
    inputs: [
      [1, 1],
      [2, 17],
      [0, 1],
      [1, 3],
    ],
    dims: [1, 6, 40, 29],
    from: ([a, b, c, d]) => [(a as number) + 1, 1 + 3 * (b as number), c as number, d as number],
  },
  {
    name: 'Slice of one, whatever its step',
    op: 'Slice',
    inputs: [
      [2, 5],
      [3, 9],
      [0, 1],
      [7, 9],
    ],
    dims: [1, 1, 40, 29],
    from: ([a, b, c, d]) => [(a as number) + 2, (b as number) + 5, c as number, d as number],
  },
  {
    name: 'Pad with a constant, some cut away',
    op: 'Pad',
    inputs: [[0, 2, -3, 1, 1, 0, 4, 0]],
    dims: [4, 19, 41, 30],
    from: ([a, b, c, d]) => inside([a as number, (b as number) - 2, (c as number) + 3, (d as number) - 1]),
  },
  {
    name: 'Pad by reflection',
    op: 'Pad',
    inputs: [[1, 0, 5, 0, 0, 3, 0, 0]],
    attributes: { mode: 'reflect' },
    dims: [4, 20, 45, 29],
    from: ([a, b, c, d]) => [
      mirrored((a as number) - 1, 3),
      mirrored(b as number, 17),
      mirrored((c as number) - 5, 40),
      d as number,
    ],
  },
  {
    name: 'Tile',
    op: 'Tile',
    inputs: [[2, 1, 2, 1]],
    dims: [6, 17, 80, 29],
    from: ([a, b, c, d]) => [(a as number) % 3, b as number, (c as number) % 40, d as number],
  },
  {
    name: 'Gather along a middle axis',
    op: 'Gather',
    inputs: [[39, -40, 7]],
    attributes: { axis: 2 },
    dims: [3, 17, 3, 29],
    from: ([a, b, c, d]) => [a as number, b as number, [39, 0, 7][c as number] as number, d as number],
  },
];

for (const { name, op, inputs, attributes, dims, from } of movements) {
  test(name, async () => {
    const data = randomFloats(
      DIMS.reduce((a, b) => a * b),
      11,
    );
    const sessions = await sessionsOf((b) => {
      const lists = inputs.map((list, i) => b.constant(`list${i}`, tensor('int64', [list.length], list)));
      b.output('y', b.op(op, [b.input('x', 'float32', DIMS), ...lists], attributes));
    });
    for (const [stage, session] of sessions) {
      const y = (await session.run({ x: { type: 'float32', dims: DIMS, data } })).y as TensorValue;
      assert.equal(y.dims, dims, stage);
      const expected = expectedOf(data, dims, from);
      const wrong = expected.findIndex((value, i) => value !== y.data[i]);
      assert.is(wrong, -1, `${stage}: ${y.data[wrong]} in place of ${expected[wrong]}`);
      assert.is(y.data.length, expected.length, stage);
    }
  });
}

function expectedOf(data: Float32Array, dims: readonly number[], from: Movement['from']): Float32Array {
  const count = dims.reduce((a, b) => a * b);
  return Float32Array.from({ length: count }, (_, i) => {
    let rest = i;
    const at = dims.map(() => 0);
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      at[axis] = rest % (dims[axis] as number);
      rest = Math.floor(rest / (dims[axis] as number));
    }
    const source = from(at);
    return source ? (data[source.reduce((sum, s, axis) => sum * (DIMS[axis] as number) + s, 0)] as number) : 0;
  });
}

test.run();
