import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type GraphBuilder, type ModelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import type { ValueType } from '../../../src/graph/types.js';
import type { HostValue, TensorValue } from '../../../src/tensor/tensor-value.js';
import { difference } from '../../conformance/compare.js';
import { expectRejection } from '../../expect-error.js';
import { bool, f32, int } from '../../values.js';
import { sessionsOf } from '../stages.js';

const test = suite('control flow');

const SEQUENCE: ValueType = { kind: 'sequence', of: { kind: 'tensor', element: 'float32' } };

type Feeds = Readonly<Record<string, HostValue>>;

interface Case {
  readonly name: string;
  readonly opset?: number;
  readonly build: (b: ModelBuilder) => void;
  /** Feeds of one session, one after another, with what they give. */
  readonly runs: readonly (readonly [Feeds, Feeds])[];
}

/** A body of Loop: the iteration, the condition and the states come in, the condition to go on and results go out. */
function body(
  b: GraphBuilder,
  states: Readonly<Record<string, ValueType | 'float32'>>,
  build: (g: GraphBuilder, i: Value, states: Value[]) => { goesOn?: Value; results: Value[] },
) {
  const own = Object.keys(states).join();
  return b.subgraph('body', (g) => {
    const i = g.input(`i_${own}`, 'int64', []);
    const goes = g.input(`goes_${own}`, 'bool', []);
    const inputs = Object.entries(states).map(([name, type]) => g.input(name, type));
    const { goesOn = g.op('Identity', [goes]), results } = build(g, i, inputs);
    g.output(`goes_on_${own}`, goesOn);
    for (const [k, result] of results.entries()) g.output(`result_${k}_${own}`, result);
  });
}

const outputs = (b: ModelBuilder, values: readonly Value[]) => {
  for (const [k, value] of values.entries()) b.output(`y${k}`, value);
};

const below = (g: GraphBuilder, x: Value, bound: number) =>
  g.op('Less', [g.op('ReduceMax', [x], { keepdims: 0 }), g.constant('bound', f32([], [bound]))]);

const cases: Case[] = [
  {
    name: 'Loop without trip count ends by its condition',
    build(b) {
      const x = b.input('x', 'float32', ['n']);
      const doubling = body(b, { s: 'float32' }, (g, _, [s]) => {
        const twice = g.op('Add', [s as Value, s as Value]);
        return { goesOn: below(g, twice, 20), results: [twice, twice] };
      });
      outputs(b, b.node('Loop', [null, b.input('c', 'bool', []), x], { body: doubling }, { outputs: 2 }));
    },
    runs: [
      [
        { x: f32([1], [3]), c: bool(true) },
        { y0: f32([1], [24]), y1: f32([3, 1], [6, 12, 24]) },
      ],
      [
        { x: f32([2], [1, 9]), c: bool(true) },
        { y0: f32([2], [4, 36]), y1: f32([2, 2], [2, 18, 4, 36]) },
      ],
      [
        { x: f32([1], [3]), c: bool(false) },
        { y0: f32([1], [3]), y1: f32([0, 1], []) },
      ],
    ],
  },
  {
    name: 'Loop without condition runs as often as said, also never',
    build(b) {
      const x = b.input('x', 'float32', [2]);
      const adding = body(b, { s: 'float32' }, (g, i, [s]) => {
        const sum = g.op('Add', [s as Value, g.op('Cast', [i], { to: 1 })]);
        return { results: [sum, g.op('Mul', [sum, x])] };
      });
      outputs(b, b.node('Loop', [b.input('m', 'int64', []), null, x], { body: adding }, { outputs: 2 }));
    },
    runs: [
      [
        { x: f32([2], [1, 2]), m: int(3) },
        { y0: f32([2], [4, 5]), y1: f32([3, 2], [1, 4, 2, 6, 4, 10]) },
      ],
      [
        { x: f32([2], [1, 2]), m: int(0) },
        { y0: f32([2], [1, 2]), y1: f32([0, 2], []) },
      ],
    ],
  },
  {
    name: 'Loop without states collects; both trip count and condition are left out',
    build(b) {
      const collecting = body(b, {}, (g, i) => {
        const x = g.op('Cast', [i], { to: 1 });
        return {
          goesOn: below(g, g.op('Unsqueeze', [x, g.constant('axes', tensor('int64', [1], [0]))]), 2),
          results: [x],
        };
      });
      outputs(b, [b.op('Loop', [null, null], { body: collecting })]);
    },
    runs: [[{}, { y0: f32([3], [0, 1, 2]) }]],
  },
  {
    name: 'Loop over a state whose shape grows',
    build(b) {
      const x = b.input('x', 'float32', ['n']);
      const growing = body(b, { s: 'float32' }, (g, _, [s]) => {
        const sum = g.op('ReduceSum', [s as Value]);
        return { results: [g.op('Concat', [s as Value, sum], { axis: 0 })] };
      });
      outputs(b, [b.op('Loop', [b.input('m', 'int64', []), null, x], { body: growing })]);
    },
    runs: [
      [{ x: f32([1], [1]), m: int(4) }, { y0: f32([5], [1, 1, 2, 4, 8]) }],
      [{ x: f32([2], [1, 2]), m: int(2) }, { y0: f32([4], [1, 2, 3, 6]) }],
    ],
  },
  {
    name: 'Loop over rows taken by the iteration, with a sequence as state',
    build(b) {
      const x = b.input('x', 'float32', ['n', 2]);
      const one = b.constant('one', tensor('int64', [1], [1]));
      const axes = b.constant('axes', tensor('int64', [1], [0]));
      const taking = body(b, { s: SEQUENCE }, (g, i, [s]) => {
        const start = g.op('Unsqueeze', [i, axes]);
        const row = g.op('Slice', [x, start, g.op('Add', [start, one]), axes]);
        return { results: [g.op('SequenceInsert', [s as Value, row, g.op('Cast', [axes], { to: 7 })]), row] };
      });
      const length = b.op('Gather', [b.op('Shape', [x]), b.constant('first', int(0))]);
      const empty = b.op('SequenceEmpty');
      const [rows, all] = b.node('Loop', [length, null, empty], { body: taking }, { outputs: 2 });
      outputs(b, [rows, b.op('ConcatFromSequence', [rows], { axis: 1 }), all]);
    },
    runs: [
      [
        { x: f32([2, 2], [1, 2, 3, 4]) },
        {
          y0: [f32([1, 2], [3, 4]), f32([1, 2], [1, 2])],
          y1: f32([1, 4], [3, 4, 1, 2]),
          y2: f32([2, 1, 2], [1, 2, 3, 4]),
        },
      ],
    ],
  },
  {
    name: 'what a body captures stays, though a later part of the plan needs memory',
    build(b) {
      const [x, w] = [b.input('x', 'float32', [2]), b.input('w', 'float32', [2])];
      const shape = b.constant('shape', tensor('int64', [2], [50, 1]));
      const staged = body(b, { s: 'float32' }, (g, _, [s]) => {
        const sum = g.op('Add', [s as Value, w]);
        const positions = g.op('Cast', [g.op('NonZero', [g.op('Abs', [sum])])], { to: 1 });
        const wide = g.op('Mul', [g.op('Exp', [g.op('Expand', [positions, shape])]), positions]);
        return { results: [g.op('Add', [sum, g.op('ReduceMin', [wide], { keepdims: 0 })])] };
      });
      const two = b.op('Reshape', [x, b.constant('flat', tensor('int64', [1], [-1]))]);
      outputs(b, [
        b.op('Reshape', [
          b.op('Loop', [b.constant('m', int(5)), null, two], { body: staged }),
          b.constant('out', tensor('int64', [1], [2])),
        ]),
      ]);
    },
    runs: [
      [{ x: f32([2], [0, 0]), w: f32([2], [1, 2]) }, { y0: f32([2], [5, 10]) }],
      [{ x: f32([2], [1, 1]), w: f32([2], [1, 1]) }, { y0: f32([2], [6, 6]) }],
    ],
  },
  {
    name: 'an If in a Loop in a Loop captures from all around',
    build(b) {
      const x = b.input('x', 'float32', [2]);
      const two = b.constant('two', int(2));
      const outer = body(b, { s: 'float32' }, (g, i, [s]) => {
        const inner = body(g, { t: 'float32' }, (h, j, [t]) => {
          const then_branch = h.subgraph('then', (k) => void k.output('p', k.op('Add', [t as Value, x])));
          const else_branch = h.subgraph('else', (k) => void k.output('q', k.op('Sub', [t as Value, s as Value])));
          return { results: [h.op('If', [h.op('Equal', [i, j])], { then_branch, else_branch })] };
        });
        return { results: [g.op('Loop', [two, null, s as Value], { body: inner })] };
      });
      outputs(b, [b.op('Loop', [two, null, x], { body: outer })]);
    },
    // s = x: t = x + x, then − x: x. s = x: t = x − x, then + x: x.
    runs: [[{ x: f32([2], [5, 7]) }, { y0: f32([2], [5, 7]) }]],
  },
  {
    name: 'If gives sequences of different lengths and tensors of different ranks',
    build(b) {
      const x = b.input('x', 'float32', ['n']);
      const branch = (name: string, times: number) =>
        b.subgraph(name, (g) => {
          g.output('s', g.op('SequenceConstruct', new Array<Value>(times).fill(x)));
          g.output('t', times === 1 ? g.op('Neg', [x]) : g.op('ReduceSum', [x], { keepdims: 0 }));
        });
      const branches = { then_branch: branch('then', 1), else_branch: branch('else', 2) };
      const [s, t] = b.node('If', [b.input('c', 'bool', [])], branches, { outputs: 2 });
      outputs(b, [s, b.op('Abs', [t])]);
    },
    runs: [
      [
        { x: f32([2], [1, 2]), c: bool(true) },
        { y0: [f32([2], [1, 2])], y1: f32([2], [1, 2]) },
      ],
      [
        { x: f32([2], [1, 2]), c: bool(false) },
        { y0: [f32([2], [1, 2]), f32([2], [1, 2])], y1: f32([], [3]) },
      ],
      [
        { x: f32([1], [4]), c: bool(true) },
        { y0: [f32([1], [4])], y1: f32([1], [4]) },
      ],
    ],
  },
  {
    name: 'If whose branches give outer values and constants as they are',
    build(b) {
      const x = b.input('x', 'float32', ['n']);
      const then_branch = b.subgraph('then', (g) => void g.output('o', g.op('Identity', [x])));
      const else_branch = b.subgraph('else', (g) => void g.output('c', g.constant('c', f32([1], [9]))));
      outputs(b, [b.op('If', [b.input('c', 'bool', [1])], { then_branch, else_branch })]);
    },
    runs: [
      [{ x: f32([2], [1, 2]), c: tensor('bool', [1], [1]) }, { y0: f32([2], [1, 2]) }],
      [{ x: f32([2], [1, 2]), c: tensor('bool', [1], [0]) }, { y0: f32([1], [9]) }],
    ],
  },
  {
    name: 'Scan with directions and axes',
    build(b) {
      const scanning = b.subgraph('body', (g) => {
        const sum = g.op('Add', [g.input('s', 'float32'), g.input('e', 'float32')]);
        g.output('sum', sum);
        g.output('out', g.op('Identity', [sum]));
      });
      const attributes = {
        body: scanning,
        num_scan_inputs: 1,
        scan_input_axes: [-1],
        scan_input_directions: [1],
        scan_output_axes: [1],
        scan_output_directions: [1],
      };
      const inputs = [b.input('s', 'float32', [2]), b.input('x', 'float32', [2, 'n'])];
      outputs(b, b.node('Scan', inputs, attributes, { outputs: 2 }));
    },
    runs: [
      [
        { s: f32([2], [0, 10]), x: f32([2, 3], [1, 2, 3, 4, 5, 6]) },
        { y0: f32([2], [6, 25]), y1: f32([2, 3], [6, 5, 3, 25, 21, 16]) },
      ],
      [
        { s: f32([2], [0, 10]), x: f32([2, 0], []) },
        { y0: f32([2], [0, 10]), y1: f32([2, 0], []) },
      ],
    ],
  },
  {
    name: 'Scan in a Scan',
    build(b) {
      const inner = (g: GraphBuilder) =>
        g.subgraph('inner', (h) => {
          const sum = h.op('Add', [h.input('t', 'float32', []), h.input('e', 'float32', [])]);
          h.output('t_out', sum);
          h.output('prefix', h.op('Identity', [sum]));
        });
      const outer = b.subgraph('outer', (g) => {
        const row = g.input('row', 'float32', ['n']);
        const start = g.constant('start', f32([], [0]));
        const [, prefixes] = g.node('Scan', [start, row], { body: inner(g), num_scan_inputs: 1 }, { outputs: 2 });
        g.output('prefixes', prefixes);
      });
      outputs(b, [b.op('Scan', [b.input('x', 'float32', ['m', 'n'])], { body: outer, num_scan_inputs: 1 })]);
    },
    runs: [[{ x: f32([2, 3], [1, 2, 3, 4, 5, 6]) }, { y0: f32([2, 3], [1, 3, 6, 4, 9, 15]) }]],
  },
  {
    name: 'Scan of no elements keeps the rank that a constant node of its body says',
    build(b) {
      const summing = b.subgraph('body', (g) => {
        const row = g.input('row', 'float32', [3]);
        const axes = g.op('Constant', [], { value: tensor('int64', [1], [0]) });
        g.output('sums', g.op('ReduceSum', [g.op('Unsqueeze', [row, axes]), axes], { keepdims: 0 }));
      });
      outputs(b, [b.op('Scan', [b.input('x', 'float32', ['n', 3])], { body: summing, num_scan_inputs: 1 })]);
    },
    runs: [
      [{ x: f32([0, 3], []) }, { y0: f32([0, 3], []) }],
      [{ x: f32([1, 3], [1, 2, 3]) }, { y0: f32([1, 3], [1, 2, 3]) }],
    ],
  },
  {
    name: 'Scan of version 8 scans every sequence of a batch as far as it reaches',
    opset: 8,
    build(b) {
      const scanning = b.subgraph('body', (g) => {
        const sum = g.op('Add', [g.input('s', 'float32', []), g.input('e', 'float32', [])]);
        g.output('sum', sum);
        g.output('out', g.op('Identity', [sum]));
      });
      const inputs = [b.input('n', 'int64', [2]), b.input('s', 'float32', [2]), b.input('x', 'float32', [2, 3])];
      outputs(b, b.node('Scan', inputs, { body: scanning, num_scan_inputs: 1 }, { outputs: 2 }));
    },
    runs: [
      [
        { n: tensor('int64', [2], [3, 1]), s: f32([2], [0, 10]), x: f32([2, 3], [1, 2, 3, 4, 5, 6]) },
        { y0: f32([2], [6, 14]), y1: f32([2, 3], [1, 3, 6, 14, 0, 0]) },
      ],
    ],
  },
];

for (const { name, opset, build, runs } of cases) {
  test(name, async () => {
    for (const [stage, session] of await sessionsOf(build, opset)) {
      for (const [feeds, expected] of [...runs, ...runs]) {
        const results = await session.run(feeds);
        for (const [key, value] of Object.entries(expected)) {
          assert.is(difference(results[key] as HostValue, value), undefined, `${stage}: ${key}`);
        }
      }
    }
  });
}

test('a state that becomes a shape that does not fit fails the run and nothing else', async () => {
  const sessions = await sessionsOf((b) => {
    const x = b.input('x', 'float32', ['n']);
    const adding = body(b, { s: 'float32' }, (g, _, [s]) => ({ results: [g.op('Add', [s as Value, x])] }));
    outputs(b, [b.op('Loop', [b.constant('m', int(2)), null, b.input('s', 'float32', ['k'])], { body: adding })]);
  });
  for (const [, session] of sessions) {
    await expectRejection('INVALID_SHAPE', /Add/, session.run({ x: f32([2], [1, 2]), s: f32([3], [1, 2, 3]) }));
    const { y0 } = await session.run({ x: f32([2], [1, 2]), s: f32([1], [1]) });
    assert.equal([...(y0 as TensorValue).data], [3, 5]);
  }
});

/** The sum of what an operator makes of [1, 2, … 12] and of a number k that decides about its result's shape. */
const BY_CONTENTS: Record<string, [(g: GraphBuilder, x: Value, k: Value) => Value, (k: number) => number]> = {
  Slice: [(g, x, k) => g.op('Slice', [x, g.op('Sub', [k, k]), k]), (k) => (k * (k + 1)) / 2],
  TopK: [(g, x, k) => g.node('TopK', [x, k], {}, { outputs: 2 })[0], (k) => 12 * k - (k * (k - 1)) / 2],
  Tile: [(g, x, k) => g.op('Tile', [x, k]), (k) => 78 * k],
  Expand: [(g, x, k) => g.op('Expand', [x, g.op('Concat', [k, g.op('Shape', [x])], { axis: 0 })]), (k) => 78 * k],
  Pad: [(g, x, k) => g.op('Pad', [x, g.op('Concat', [k, k], { axis: 0 })], { mode: 'edge' }), (k) => 78 + 13 * k],
  Split: [
    (g, x, k) =>
      g.node(
        'Split',
        [x, g.op('Concat', [k, g.op('Sub', [g.op('Shape', [x]), k])], { axis: 0 })],
        {},
        { outputs: 2 },
      )[0],
    (k) => (k * (k + 1)) / 2,
  ],
  Reshape: [
    (g, x, k) => g.op('Reshape', [g.op('Tile', [x, k]), g.op('Concat', [k, g.op('Shape', [x])], { axis: 0 })]),
    (k) => 78 * k,
  ],
  ConstantOfShape: [(g, _, k) => g.op('ConstantOfShape', [k], { value: f32([1], [2]) }), (k) => 2 * k],
  Range: [
    (g, _, k) =>
      g.op(
        'Cast',
        [
          g.op('Range', [
            g.op('Squeeze', [g.op('Sub', [k, k])]),
            g.op('Squeeze', [k]),
            g.op('Squeeze', [g.op('Div', [k, k])]),
          ]),
        ],
        { to: 1 },
      ),
    (k) => (k * (k - 1)) / 2,
  ],
};

for (const [op, [build, expected]] of Object.entries(BY_CONTENTS)) {
  test(`${op} by the iteration of a Loop, before and after it moves to the host`, async () => {
    const sessions = await sessionsOf((b) => {
      const x = b.input('x', 'float32', [12]);
      const [twelve, one] = [b.constant('twelve', int(12)), b.constant('one', tensor('int64', [1], [1]))];
      const counting = body(b, {}, (g, i) => {
        const k = g.op('Add', [g.op('Mod', [i, twelve]), one]);
        return { results: [g.op('ReduceSum', [build(g, x, k)], { keepdims: 0 }), g.op('Mul', [i, i])] };
      });
      outputs(b, b.node('Loop', [b.input('m', 'int64', []), null], { body: counting }, { outputs: 2 }));
    });
    const wanted = Array.from({ length: 40 }, (_, i) => expected((i % 12) + 1));
    for (const [stage, session] of sessions) {
      const { y0 } = await session.run({ x: f32([12], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), m: int(40) });
      assert.equal([...(y0 as TensorValue).data], wanted, stage);
    }
  });
}

test('a Loop of 3000 iterations of changing shapes keeps few plans and little memory', async () => {
  const [[, session]] = (await sessionsOf((b) => {
    const x = b.input('x', 'float32', ['n']);
    const [first, one] = [b.constant('first', int(0)), b.constant('one', int(1))];
    const hundred = b.constant('hundred', int(100));
    const varying = body(b, { s: 'float32' }, (g, i, [s]) => {
      const length = g.op('Add', [g.op('Mod', [i, hundred]), one]);
      const wide = g.op('Expand', [
        x,
        g.op('Unsqueeze', [length, g.op('Unsqueeze', [first, g.constant('axis', tensor('int64', [1], [0]))])]),
      ]);
      const product = g.op('Mul', [wide, wide]);
      return { results: [g.op('Add', [s as Value, g.op('ReduceMean', [product])])] };
    });
    outputs(b, [b.op('Loop', [b.input('m', 'int64', []), null, x], { body: varying })]);
  })) as [Awaited<ReturnType<typeof sessionsOf>>[number]];
  const run = (m: number) => session.run({ x: f32([1], [1]), m: int(m) });
  await run(200);
  const before = session.memoryPlan?.linearMemory;
  const { y0 } = await run(3_000);
  assert.equal([...(y0 as TensorValue).data], [3_001]);
  assert.is(session.memoryPlan?.linearMemory, before);
});

test.run();
