import { suite } from 'uvu';
import { type ModelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import { randomly } from '../../session/run-model.js';
import { int } from '../../values.js';
import { expectDerivatives } from './expect-derivatives.js';

const test = suite('Gradient through sequences');

const next = randomly(7);
const draw = (...dims: number[]) =>
  tensor(
    'float64',
    dims,
    Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => 2 * next() - 1),
  );

/** The squares of a sequence's tensors, as sequence. */
function squared(b: ModelBuilder, sequence: Value, weight: Value): Value {
  const body = b.subgraph('square', (g) => {
    const x = g.input('x_in', 'float64');
    const w = g.input('w_in', 'float64');
    g.output('x_out', g.op('Mul', [g.op('Mul', [x, x]), w]));
  });
  return b.op('SequenceMap', [sequence, weight], { body });
}

const CASES: Readonly<Record<string, (b: ModelBuilder, x: Value, z: Value) => Value[]>> = {
  'construct, insert and read': (b, x, z) => {
    const pair = b.op('SequenceConstruct', [x, z]);
    const more = b.op('SequenceInsert', [pair, b.op('Mul', [x, z]), b.constant('first', int(-1))]);
    const longer = b.op('SequenceInsert', [more, z]);
    return [0, -1, 1].map((at) => b.op('SequenceAt', [longer, b.constant(`at${at}`, int(at))]));
  },
  erase: (b, x, z) => {
    const three = b.op('SequenceConstruct', [x, b.op('Mul', [x, z]), z]);
    const two = b.op('SequenceErase', [three, b.constant('middle', int(-2))]);
    return [b.op('ConcatFromSequence', [b.op('SequenceErase', [two])], { axis: 0 })];
  },
  'split and concatenate': (b, x) => {
    const parts = b.op('SplitToSequence', [x, b.constant('sizes', tensor('int64', [2], [1, 2]))], { axis: 1 });
    const rows = b.op('SplitToSequence', [x, null], { axis: 0, keepdims: 0 });
    return [
      b.op('ConcatFromSequence', [parts], { axis: 1 }),
      b.op('SequenceAt', [parts, b.constant('second', int(1))]),
      b.op('ConcatFromSequence', [rows], { axis: 1, new_axis: 1 }),
    ];
  },
  'map with a further input': (b, x, z) => {
    const sequence = b.op('SequenceConstruct', [x, b.op('Mul', [x, z])]);
    return [b.op('ConcatFromSequence', [squared(b, sequence, z)], { axis: 0 })];
  },
  optional: (b, x, z) => {
    const held = b.op('Optional', [b.op('Mul', [x, z])]);
    return [b.op('OptionalGetElement', [held])];
  },
};

for (const [name, build] of Object.entries(CASES))
  test(name, async () => {
    await expectDerivatives({ x: draw(2, 3), z: draw(2, 3) }, 21, (b, [x, z]) => build(b, x as Value, z as Value));
  });

test.run();
