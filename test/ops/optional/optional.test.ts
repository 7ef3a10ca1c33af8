import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ModelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import type { ValueType } from '../../../src/graph/types.js';
import type { HostValue } from '../../../src/tensor/tensor-value.js';
import { difference } from '../../conformance/compare.js';
import { expectRejection } from '../../expect-error.js';
import { bool } from '../../values.js';
import { sessionsOf } from '../stages.js';

const test = suite('optionals');

const TENSOR: ValueType = { kind: 'tensor', element: 'float32' };
const SEQUENCE: ValueType = { kind: 'sequence', of: TENSOR };
const optional = (of: ValueType): ValueType => ({ kind: 'optional', of });

const a = tensor('float32', [2], [1, 2]);

interface Case {
  readonly name: string;
  readonly type: ValueType;
  readonly opset?: number;
  readonly build: (b: ModelBuilder, o: Value) => Value;
  /** Feeds of one session, one after another, with what they give. */
  readonly runs: readonly (readonly [feed: HostValue, expected: HostValue])[];
}

/** The element, or a tensor of one zero where there is none. */
function elementOr(b: ModelBuilder, o: Value): Value {
  const then_branch = b.subgraph('then', (g) => void g.output('t', g.op('OptionalGetElement', [o])));
  const zero = tensor('float32', [1], [0]);
  const else_branch = b.subgraph('else', (g) => void g.output('e', g.op('Constant', [], { value: zero })));
  return b.op('If', [b.op('OptionalHasElement', [o])], { then_branch, else_branch });
}

const cases: Case[] = [
  {
    name: 'has an element',
    type: optional(TENSOR),
    build: (b, o) => b.op('OptionalHasElement', [o]),
    runs: [
      [a, bool(true)],
      [null, bool(false)],
      [a, bool(true)],
    ],
  },
  {
    name: 'has an element, in version 15, of a sequence',
    type: optional(SEQUENCE),
    opset: 15,
    build: (b, o) => b.op('OptionalHasElement', [o]),
    runs: [
      [[], bool(true)],
      [null, bool(false)],
      [[a, a], bool(true)],
    ],
  },
  {
    name: 'nothing has no element',
    type: TENSOR,
    build: (b) => b.op('OptionalHasElement', [b.op('Optional', [], { type: SEQUENCE })]),
    runs: [[a, bool(false)]],
  },
  {
    name: 'a tensor goes in and comes out',
    type: TENSOR,
    build: (b, o) => b.op('Neg', [b.op('OptionalGetElement', [b.op('Optional', [b.op('Neg', [o])])])]),
    runs: [
      [a, a],
      [tensor('float32', [0, 3], []), tensor('float32', [0, 3], [])],
    ],
  },
  {
    name: 'a constant goes in and comes out',
    type: TENSOR,
    build: (b, o) => b.op('Add', [o, b.op('OptionalGetElement', [b.op('Optional', [b.constant('c', a)])])]),
    runs: [[a, tensor('float32', [2], [2, 4])]],
  },
  {
    name: 'an empty one as a result',
    type: TENSOR,
    build: (b) => b.op('Optional', [], { type: TENSOR }),
    runs: [[a, null]],
  },
  {
    name: 'a fed one as a result',
    type: optional(SEQUENCE),
    build: (b, o) => b.op('Identity', [o]),
    runs: [
      [[a], [a]],
      [null, null],
      [[], []],
    ],
  },
  {
    name: 'a branch decides by it',
    type: optional(TENSOR),
    build: elementOr,
    runs: [
      [a, a],
      [null, tensor('float32', [1], [0])],
      [tensor('float32', [], [5]), tensor('float32', [], [5])],
    ],
  },
  {
    name: 'the element of a sequence in an optional',
    type: optional(SEQUENCE),
    build: (b, o) => b.op('ConcatFromSequence', [b.op('OptionalGetElement', [o])], { axis: 0 }),
    runs: [[[a, a], tensor('float32', [4], [1, 2, 1, 2])]],
  },
];

const model =
  ({ type, build }: Pick<Case, 'type' | 'build'>) =>
  (b: ModelBuilder) =>
    void b.output('y', build(b, b.input('o', type)));

for (const wanted of cases) {
  test(wanted.name, async () => {
    for (const [stage, session] of await sessionsOf(model(wanted), wanted.opset)) {
      for (const [o, expected] of wanted.runs) {
        const { y } = await session.run({ o });
        assert.is(difference(y as HostValue, expected), undefined, stage);
      }
    }
  });
}

test('the element of an empty one fails the run and nothing else', async () => {
  const build = (b: ModelBuilder, o: Value) => b.op('OptionalGetElement', [o]);
  for (const [stage, session] of await sessionsOf(model({ type: optional(TENSOR), build }))) {
    await expectRejection('INVALID_VALUE', /OptionalGetElement.*empty/, session.run({ o: null }));
    assert.is(difference((await session.run({ o: a })).y as HostValue, a), undefined, stage);
    await expectRejection('INVALID_TYPE', /expected float32.*got int64/, session.run({ o: tensor('int64', [], [1]) }));
    await expectRejection('INVALID_TYPE', /expected a float32.*got an array/, session.run({ o: [a] }));
  }
});

test.run();
