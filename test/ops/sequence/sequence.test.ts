import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ModelBuilder, modelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import type { ValueType } from '../../../src/graph/types.js';
import { InferenceSession } from '../../../src/session/inference-session.js';
import type { HostValue, TensorValue } from '../../../src/tensor/tensor-value.js';
import { difference } from '../../conformance/compare.js';
import { expectRejection } from '../../expect-error.js';
import { f32, int } from '../../values.js';
import { sessionsOf } from '../stages.js';

const test = suite('sequences');

const FLOATS: ValueType = { kind: 'sequence', of: { kind: 'tensor', element: 'float32' } };

const a = f32([2], [1, 2]);
const b3 = f32([3], [3, 4, 5]);
const matrix = f32([2, 3], [1, 2, 3, 4, 5, 6]);

type Case = {
  readonly name: string;
  /** Builds output y from the inputs s (a sequence), x (a tensor) and i (a position). */
  readonly build: (m: ModelBuilder, s: Value, x: Value, i: Value) => Value;
  readonly s?: HostValue;
  readonly x?: TensorValue;
  readonly i?: number;
  readonly expected: HostValue;
};

const cases: Case[] = [
  { name: 'construct', build: (m, _, x) => m.op('SequenceConstruct', [x, x]), expected: [a, a] },
  { name: 'empty', build: (m) => m.op('SequenceEmpty', [], { dtype: 7 }), expected: [] },
  { name: 'at the end', build: (m, s, _, i) => m.op('SequenceAt', [s, i]), i: -1, expected: b3 },
  { name: 'at the start', build: (m, s, _, i) => m.op('SequenceAt', [s, i]), i: -2, expected: a },
  { name: 'insert at the back', build: (m, s, x) => m.op('SequenceInsert', [s, x]), expected: [a, b3, a] },
  { name: 'insert after all', build: (m, s, x, i) => m.op('SequenceInsert', [s, x, i]), i: 2, expected: [a, b3, a] },
  { name: 'insert before', build: (m, s, x, i) => m.op('SequenceInsert', [s, x, i]), i: -1, expected: [a, a, b3] },
  { name: 'erase the last', build: (m, s) => m.op('SequenceErase', [s]), expected: [a] },
  { name: 'erase one', build: (m, s, _, i) => m.op('SequenceErase', [s, i]), i: 0, expected: [b3] },
  { name: 'length', build: (m, s) => m.op('SequenceLength', [s]), expected: int(2) },
  { name: 'length of none', build: (m, s) => m.op('SequenceLength', [s]), s: [], expected: int(0) },
  {
    name: 'concatenate',
    build: (m, s) => m.op('ConcatFromSequence', [s], { axis: 0 }),
    expected: f32([5], [1, 2, 3, 4, 5]),
  },
  {
    name: 'stack along the last axis',
    build: (m, s) => m.op('ConcatFromSequence', [s], { axis: -1, new_axis: 1 }),
    s: [a, f32([2], [8, 9])],
    expected: f32([2, 2], [1, 8, 2, 9]),
  },
  {
    name: 'split into slices without their axis',
    build: (m, _, x) => m.op('SplitToSequence', [x], { axis: -1, keepdims: 0 }),
    x: matrix,
    expected: [f32([2], [1, 4]), f32([2], [2, 5]), f32([2], [3, 6])],
  },
  {
    name: 'split by one length; keepdims is ignored',
    build: (m, _, x) => m.op('SplitToSequence', [x, m.constant('n', int(2))], { axis: 1, keepdims: 0 }),
    x: matrix,
    expected: [f32([2, 2], [1, 2, 4, 5]), f32([2, 1], [3, 6])],
  },
  {
    name: 'split by lengths, one of them 0',
    build: (m, _, x) => m.op('SplitToSequence', [x, m.constant('n', tensor('int64', [3], [0, 1, 2]))], { axis: 1 }),
    x: matrix,
    expected: [f32([2, 0], []), f32([2, 1], [1, 4]), f32([2, 2], [2, 3, 5, 6])],
  },
  {
    name: 'map over a sequence and a tensor that every element sees',
    build: (m, s, x) => {
      const body = m.subgraph('body', (g) => {
        const [e, t] = [g.input('e', 'float32'), g.input('t', 'float32')];
        g.output('shape', g.op('Shape', [e]));
        g.output('sum', g.op('Add', [g.op('ReduceSum', [e]), g.op('Mul', [t, x])]));
      });
      const [shapes, sums] = m.node('SequenceMap', [s, x], { body }, { outputs: 2 });
      m.output('shapes', shapes);
      return sums;
    },
    expected: [f32([2], [4, 7]), f32([2], [13, 16])],
  },
  {
    name: 'map over two sequences',
    build: (m, s) => {
      const body = m.subgraph('body', (g) => {
        g.output('o', g.op('Mul', [g.input('e', 'float32'), g.input('f', 'float32')]));
      });
      return m.op('SequenceMap', [s, s], { body });
    },
    expected: [f32([2], [1, 4]), f32([3], [9, 16, 25])],
  },
  { name: 'identity', build: (m, s) => m.op('Identity', [m.op('Identity', [s])]), expected: [a, b3] },
];

const model = (wanted: Pick<Case, 'build'>) => (m: ModelBuilder) => {
  const s = m.input('s', FLOATS);
  const x = m.input('x', 'float32');
  m.output('y', wanted.build(m, s, x, m.input('i', 'int64', [])));
};
const feedsOf = ({ s = [a, b3], x = a, i = 0 }: Partial<Case>) => ({ s, x, i: int(i) });

for (const wanted of cases) {
  test(wanted.name, async () => {
    for (const [stage, session] of await sessionsOf(model(wanted))) {
      for (let run = 0; run < 2; run++) {
        const { y } = await session.run(feedsOf(wanted));
        assert.is(difference(y as HostValue, wanted.expected), undefined, stage);
      }
    }
  });
}

const refused: (Omit<Case, 'expected' | 'name'> & { readonly message: RegExp })[] = [
  { build: (m, s, _, i) => m.op('SequenceAt', [s, i]), i: 2, message: /SequenceAt.*position 2 is out of range.*2 ele/ },
  { build: (m, s, _, i) => m.op('SequenceErase', [s, i]), i: -3, message: /position -3/ },
  { build: (m, s, x, i) => m.op('SequenceInsert', [s, x, i]), i: 3, message: /position 3/ },
  { build: (m, s) => m.op('SequenceErase', [s]), s: [], message: /empty sequence/ },
  { build: (m, s) => m.op('ConcatFromSequence', [s], { axis: 0 }), s: [], message: /sequence is empty/ },
  { build: (m, _, x) => m.op('SplitToSequence', [x, m.constant('n', int(0))]), message: /positive, not 0/ },
];

test('what cannot be done fails the run and nothing else', async () => {
  for (const wanted of refused) {
    for (const [, session] of await sessionsOf(model(wanted))) {
      await expectRejection('INVALID_VALUE', wanted.message, session.run(feedsOf(wanted)));
      await session.run(feedsOf({ ...wanted, s: [a, b3], i: 0 })).catch(() => undefined);
    }
  }
});

test('what is no sequence of the right tensors is refused', async () => {
  for (const [, session] of await sessionsOf(model({ build: (m, s) => m.op('SequenceLength', [s]) }))) {
    await expectRejection('INVALID_TYPE', /expected seq.*got a tensor/, session.run({ ...feedsOf({}), s: a }));
    await expectRejection('INVALID_TYPE', /expected float32.*got int64/, session.run({ ...feedsOf({}), s: [int(1)] }));
    await expectRejection('INVALID_TYPE', /got null/, session.run({ ...feedsOf({}), s: null }));
  }
  const wrong: Case['build'][] = [
    (m, _, x) => m.op('SequenceLength', [x]),
    (m, s, _, i) => m.op('SequenceInsert', [s, i]),
    (m, _, x, i) => m.op('SequenceConstruct', [x, i]),
    (m, s) => m.op('Relu', [s]),
    (m, s) => m.op('SequenceConstruct', [s]),
    (m, _, x) => m.op('Optional', [m.op('Optional', [x])]),
  ];
  for (const build of wrong) {
    const b = modelBuilder({ opset: 21 });
    model({ build })(b);
    const session = await InferenceSession.create(b.toBytes(), { graphOptimizationLevel: 'disabled' });
    await expectRejection('INVALID_TYPE', /sequence|tensor|int64|optional/, session.run(feedsOf({})));
  }
});

test('results have data of their own', async () => {
  const feed = f32([2], [1, 2]);
  const sessions = await sessionsOf((m) => {
    const s = m.input('s', FLOATS);
    m.output('y', m.op('SequenceInsert', [s, m.constant('c', f32([1], [7]))]));
  });
  for (const [stage, session] of sessions) {
    const { y } = await session.run({ s: [feed] });
    for (const { data } of y as HostValue as TensorValue[]) (data as Float32Array).fill(-1);
    assert.equal([...(feed.data as Float32Array)], [1, 2], stage);
    const again = await session.run({ s: [feed] });
    assert.is(difference(again.y as HostValue, [feed, f32([1], [7])]), undefined, stage);
  }
});

test.run();
