import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type GraphBuilder, type ModelBuilder, modelBuilder, tensor } from '../../src/builder/index.js';
import type { Graph, Value } from '../../src/graph/graph.js';
import { writeModel } from '../../src/model/write-model.js';
import { InferenceSession } from '../../src/session/inference-session.js';
import type { HostValue, TensorValue } from '../../src/tensor/tensor-value.js';
import { difference } from '../conformance/compare.js';
import { STAGES, sessionsOf } from '../ops/stages.js';
import { f32, int64s, numberOf } from '../values.js';

const test = suite('unusual graphs');

const shown = (value: HostValue | undefined) => {
  const { type, dims, data } = value as TensorValue;
  return `${type}[${dims}] ${[...data].join(' ')}`.trim();
};

/** What an operator gives for tensors without elements, and for scalars. */
const EMPTY: readonly (readonly [
  name: string,
  dims: readonly number[],
  build: (b: ModelBuilder, x: Value) => Value,
  expected: string,
])[] = [
  [
    'MatMul over nothing, with bias and Relu',
    [3, 2, 0],
    (b, x) =>
      b.op('Relu', [
        b.op('Add', [b.op('MatMul', [x, b.constant('c', f32([0, 2], []))]), b.constant('d', f32([2], [-1, 2]))]),
      ]),
    `float32[3,2,2] ${'0 2 '.repeat(6).trim()}`,
  ],
  [
    'Gemm over nothing',
    [0, 3],
    (b, x) => b.op('Gemm', [x, x, b.constant('d', f32([1], [4]))], { transA: 1 }),
    `float32[3,3] ${'4 '.repeat(9).trim()}`,
  ],
  ['Relu', [0, 3], (b, x) => b.op('Relu', [x]), 'float32[0,3]'],
  ['Add', [0, 3], (b, x) => b.op('Add', [x, b.constant('c', f32([3], [1, 2, 3]))]), 'float32[0,3]'],
  ['Add to a column', [2, 0], (b, x) => b.op('Add', [x, b.constant('c', f32([2, 1], [1, 2]))]), 'float32[2,0]'],
  [
    'MatMul over nothing',
    [2, 0],
    (b, x) => b.op('MatMul', [x, b.constant('c', f32([0, 2], []))]),
    'float32[2,2] 0 0 0 0',
  ],
  [
    'MatMul of no rows',
    [0, 2],
    (b, x) => b.op('MatMul', [x, b.constant('c', f32([2, 2], [1, 2, 3, 4]))]),
    'float32[0,2]',
  ],
  ['Gemm of no rows', [0, 2], (b, x) => b.op('Gemm', [x, b.constant('c', f32([2, 2], [1, 2, 3, 4]))]), 'float32[0,2]'],
  [
    'Conv of no images',
    [0, 1, 3, 3],
    (b, x) => b.op('Conv', [x, b.constant('c', f32([2, 1, 2, 2], new Float32Array(8)))]),
    'float32[0,2,2,2]',
  ],
  ['MaxPool of no images', [0, 1, 3, 3], (b, x) => b.op('MaxPool', [x], { kernel_shape: [2, 2] }), 'float32[0,1,2,2]'],
  ['GlobalAveragePool of no images', [0, 2, 3, 3], (b, x) => b.op('GlobalAveragePool', [x]), 'float32[0,2,1,1]'],
  ['Transpose', [0, 3, 2], (b, x) => b.op('Transpose', [x], { perm: [2, 0, 1] }), 'float32[2,0,3]'],
  [
    'Reshape',
    [0, 3],
    (b, x) => b.op('Reshape', [x, b.constant('s', int64s([3, 0]))], { allowzero: 1 }),
    'float32[3,0]',
  ],
  [
    'Concat',
    [0, 2],
    (b, x) => b.op('Concat', [x, b.constant('c', f32([1, 2], [1, 2])), x], { axis: 0 }),
    'float32[1,2] 1 2',
  ],
  [
    'Slice to nothing',
    [3],
    (b, x) => b.op('Slice', [x, b.constant('a', int64s([2])), b.constant('e', int64s([1]))]),
    'float32[0]',
  ],
  [
    'Gather of no index',
    [3, 2],
    (b, x) => b.op('Gather', [x, b.constant('i', tensor('int64', [0], []))]),
    'float32[0,2]',
  ],
  [
    'ReduceSum over nothing',
    [2, 0],
    (b, x) => b.op('ReduceSum', [x, b.constant('a', int64s([1]))], { keepdims: 0 }),
    'float32[2] 0 0',
  ],
  ['ReduceSum of no rows', [0, 2], (b, x) => b.op('ReduceSum', [x, b.constant('a', int64s([1]))]), 'float32[0,1]'],
  ['Softmax', [0, 4], (b, x) => b.op('Softmax', [x]), 'float32[0,4]'],
  ['Softmax along nothing', [4, 0], (b, x) => b.op('Softmax', [x]), 'float32[4,0]'],
  [
    'LayerNormalization',
    [0, 2],
    (b, x) => b.op('LayerNormalization', [x, b.constant('c', f32([2], [1, 1]))]),
    'float32[0,2]',
  ],
  ['Where', [0], (b, x) => b.op('Where', [b.op('Greater', [x, x]), x, x]), 'float32[0]'],
  ['Cast', [0, 1], (b, x) => b.op('Cast', [x], { to: 7 }), 'int64[0,1]'],
  ['NonZero', [0], (b, x) => b.op('NonZero', [x]), 'int64[1,0]'],
  ['NonZero of a scalar', [], (b, x) => b.op('NonZero', [x]), 'int64[0,1]'],
  ['Expand', [1, 0], (b, x) => b.op('Expand', [x, b.constant('s', int64s([3, 0]))]), 'float32[3,0]'],
  ['Tile', [2], (b, x) => b.op('Tile', [x, b.constant('r', int64s([0]))]), 'float32[0]'],
  ['Pad', [0], (b, x) => b.op('Pad', [x, b.constant('p', int64s([1, 1]))]), 'float32[2] 0 0'],
  [
    'TopK of nothing',
    [3],
    (b, x) => b.node('TopK', [x, b.constant('k', int64s([0]))], {}, { outputs: 2 })[0],
    'float32[0]',
  ],
  [
    'Split off nothing',
    [2],
    (b, x) => b.node('Split', [x, b.constant('s', int64s([0, 2]))], {}, { outputs: 2 })[0],
    'float32[0]',
  ],
  ['Shape', [0, 3], (b, x) => b.op('Shape', [x]), 'int64[2] 0 3'],
  ['CumSum', [0], (b, x) => b.op('CumSum', [x, b.constant('a', tensor('int64', [], [0]))]), 'float32[0]'],
  [
    'Resize of no images',
    [0, 1, 2, 2],
    (b, x) => b.op('Resize', [x, null, b.constant('s', f32([4], [1, 1, 2, 2]))]),
    'float32[0,1,4,4]',
  ],
  ['Unsqueeze of a scalar', [], (b, x) => b.op('Unsqueeze', [x, b.constant('a', int64s([0]))]), 'float32[1] 1'],
  ['Squeeze to a scalar', [1, 1], (b, x) => b.op('Squeeze', [x]), 'float32[] 1'],
  ['ReduceMean of a scalar', [], (b, x) => b.op('ReduceMean', [x]), 'float32[] 1'],
  ['Softmax of one', [1], (b, x) => b.op('Softmax', [x]), 'float32[1] 1'],
  [
    'Concat in a chain',
    [0],
    (b, x) => b.op('Sqrt', [b.op('Concat', [b.op('Exp', [x]), b.op('Neg', [x])], { axis: 0 })]),
    'float32[0]',
  ],
];

for (const [name, dims, build, expected] of EMPTY) {
  test(`${name}: ${JSON.stringify(dims)}`, async () => {
    const feed = f32(dims, new Float32Array(dims.reduce((n, d) => n * d, 1)).fill(1));
    for (const symbols of [dims, dims.map((_, i) => `d${i}`)]) {
      const sessions = await sessionsOf((b) => void b.output('y', build(b, b.input('x', 'float32', symbols))));
      for (const [stage, session] of sessions) assert.is(shown((await session.run({ x: feed })).y), expected, stage);
    }
  });
}

/** Runs a graph that the builder would refuse: `change` rewrites what it made. */
async function resultsOf(build: (b: ModelBuilder) => void, change: (graph: Graph) => void, x: TensorValue) {
  return Promise.all(
    Object.values(STAGES).map(async (options) => {
      const b = modelBuilder({ opset: 21 });
      build(b);
      const model = b.toModel();
      change(model.graph);
      const session = await InferenceSession.create(writeModel(model), options);
      await session.run({ x });
      return session.run({ x });
    }),
  );
}

test('one value twice among the outputs', async () => {
  const build = (b: ModelBuilder) => {
    const x = b.input('x', 'float32', ['n']);
    b.output('y', b.op('Neg', [x]));
    b.output('z', b.op('Abs', [x]));
  };
  for (const results of await resultsOf(
    build,
    (graph) => void graph.outputs.push(graph.outputs[0] as Value),
    f32([2], [1, -2]),
  )) {
    assert.is(shown(results.y), 'float32[2] -1 2');
    assert.is(shown(results.z), 'float32[2] 1 2');
  }
});

test('an input and constants as outputs have data of their own', async () => {
  const sessions = await sessionsOf((b) => {
    const x = b.input('x', 'float32', ['n']);
    b.output('x', x);
    b.output('c', b.constant('c', f32([2], [3, 4])));
    b.output('d', b.op('Identity', [x]));
    b.output('words', b.constant('words', tensor('string', [2], ['a', 'b'])));
  });
  for (const [stage, session] of sessions) {
    const feed = f32([2], [1, 2]);
    for (let run = 0; run < 2; run++) {
      const results = await session.run({ x: feed });
      assert.equal(
        ['x', 'c', 'd', 'words'].map((name) => shown(results[name])),
        ['float32[2] 1 2', 'float32[2] 3 4', 'float32[2] 1 2', 'string[2] a b'],
        stage,
      );
      for (const name of ['x', 'c', 'd']) ((results[name] as TensorValue).data as Float32Array).fill(-1);
      ((results.words as TensorValue).data as string[]).fill('');
    }
  }
});

test('outputs that a node leaves out, first, middle and last', async () => {
  for (const wanted of [0, 1, 2]) {
    const sessions = await sessionsOf((b) => {
      const x = b.input('x', 'float32', [6]);
      const names = [0, 1, 2].map((i) => (i === wanted ? 'part' : null));
      const parts = b.node('Split', [x, b.constant('s', int64s([1, 2, 3]))], {}, { outputs: names });
      b.output('y', b.op('Neg', [parts[wanted] as Value]));
    });
    for (const [stage, session] of sessions) {
      const { y } = await session.run({ x: f32([6], [1, 2, 3, 4, 5, 6]) });
      assert.is(shown(y), ['float32[1] -1', 'float32[2] -2 -3', 'float32[3] -4 -5 -6'][wanted], stage);
    }
  }
});

test('optional inputs left out in the middle', async () => {
  const sessions = await sessionsOf((b) => {
    const x = b.input('x', 'float32', [2]);
    b.output('high', b.op('Clip', [x, null, b.constant('one', numberOf(1))]));
    b.output('none', b.op('Clip', [x, null, null]));
    b.output('low', b.op('Clip', [x, b.constant('two', numberOf(2))]));
  });
  for (const [stage, session] of sessions) {
    const results = await session.run({ x: f32([2], [0, 5]) });
    assert.equal(
      ['high', 'none', 'low'].map((name) => shown(results[name])),
      ['float32[2] 0 1', 'float32[2] 0 5', 'float32[2] 2 5'],
      stage,
    );
  }
});

test('sparse initializers, also inside a subgraph and as a Constant', async () => {
  const sparse = { values: f32([2], [5, 7]), indices: tensor('int64', [2], [1, 5]), dims: [2, 3] };
  const dense = f32([2, 3], [0, 5, 0, 0, 0, 7]);
  const sessions = await sessionsOf((b) => {
    const x = b.input('x', 'float32', [2, 3]);
    const s = b.sparseConstant('s', sparse);
    const then_branch = b.subgraph('then', (g) => void g.output('t', g.op('Add', [x, s])));
    const else_branch = b.subgraph('else', (g) => void g.output('e', g.op('Identity', [s])));
    b.output('sum', b.op('Add', [x, s]));
    b.output('constant', b.op('Add', [x, b.op('Constant', [], { sparse_value: sparse })]));
    b.output('branch', b.op('If', [b.input('c', 'bool', [])], { then_branch, else_branch }));
  });
  const x = f32([2, 3], new Float32Array(6));
  for (const [stage, session] of sessions) {
    for (const c of [1, 0]) {
      const results = await session.run({ x, c: tensor('bool', [], [c]) });
      for (const value of Object.values(results)) assert.is(difference(value, dense), undefined, stage);
    }
  }
});

test('sparse tensors of complex numbers and of elements of less than a byte', async () => {
  const indices = tensor('int64', [2], [1, 2]);
  const sparse = [
    { values: tensor('complex64', [2], [1, 2, 3, 4]), dense: tensor('complex64', [3], [0, 0, 1, 2, 3, 4]) },
    { values: tensor('uint4', [2], [2, 5]), dense: tensor('uint4', [3], [0, 2, 5]) },
  ];
  const sessions = await sessionsOf((b) =>
    sparse.forEach(({ values }, i) => {
      b.output(`y${i}`, b.op('Identity', [b.sparseConstant(`s${i}`, { values, indices, dims: [3] })]));
    }),
  );
  for (const [stage, session] of sessions) {
    const results = await session.run({});
    for (const [i, { dense }] of sparse.entries()) assert.is(shown(results[`y${i}`]), shown(dense), stage);
  }
});

test('a sequence that is empty at first and untyped in the body of a loop keeps its type', async () => {
  const sessions = await sessionsOf((b) => {
    const empty = b.op('SequenceEmpty', [], { dtype: 7 });
    const body = b.subgraph('body', (g) => {
      const i = g.input('i', 'int64', []);
      const goes = g.input('goes', 'bool', []);
      const before = g.input('before');
      g.output('on', g.op('Identity', [goes]));
      g.output('after', g.op('SequenceInsert', [before, i]));
    });
    const collected = b.op('Loop', [b.input('m', 'int64', []), null, empty], { body });
    b.output('y', b.op('ConcatFromSequence', [collected], { axis: 0, new_axis: 1 }));
  });
  for (const [stage, session] of sessions) {
    const { y } = await session.run({ m: tensor('int64', [], [3]) });
    assert.is(shown(y), 'int64[3] 0 1 2', stage);
  }
});

test('a loop whose body declares its iteration number and condition as vectors is given such', async () => {
  const sessions = await sessionsOf((b) => {
    const body = b.subgraph('body', (g) => {
      const [i, goes] = [g.input('i', 'int64', [1]), g.input('goes', 'bool', [1])];
      const v = g.input('v', 'int64', [1]);
      g.output('on', g.op('And', [goes, g.op('Less', [i, g.constant('three', int64s([3]))])]), 'bool', [1]);
      g.output('sum', g.op('Concat', [v, i], { axis: 0 }));
      g.output('numbers', g.op('Squeeze', [i, g.constant('axis', int64s([0]))]));
    });
    const [y, z] = b.node(
      'Loop',
      [null, b.input('go', 'bool', [1]), b.input('x', 'int64', ['n'])],
      { body },
      { outputs: 2 },
    );
    b.output('y', y);
    b.output('z', z);
  });
  for (const [stage, session] of sessions) {
    const { y, z } = await session.run({ go: tensor('bool', [1], [1]), x: int64s([7]) });
    assert.is(`${shown(y)}, ${shown(z)}`, 'int64[5] 7 0 1 2 3, int64[4] 0 1 2 3', stage);
  }
});

/** `v` followed by the input x, so many graphs deep: a loop that runs once, in a branch, in a loop … */
function nested(g: GraphBuilder, x: Value, v: Value, condition: Value, depth: number): Value {
  if (depth === 0) return g.op('Concat', [v, x], { axis: 0 });
  if (depth % 2 === 0) {
    const branch = (name: string) =>
      g.subgraph(name, (inner) => inner.output(`${name}/r`, nested(inner, x, v, condition, depth - 1)));
    const rest = g.subgraph(`else${depth}`, (inner) => inner.output(`else${depth}/r`, inner.op('Neg', [v])));
    return g.op('If', [condition], { then_branch: branch(`then${depth}`), else_branch: rest });
  }
  const body = g.subgraph(`body${depth}`, (inner) => {
    inner.input(`i${depth}`, 'int64', []);
    const goes = inner.input(`goes${depth}`, 'bool', []);
    const carried = inner.input(`v${depth}`, 'float32');
    inner.output(`on${depth}`, inner.op('Identity', [goes]));
    inner.output(`next${depth}`, nested(inner, x, carried, goes, depth - 1));
  });
  return g.op('Loop', [g.constant(`once${depth}`, int64s([1])), condition, v], { body });
}

test('graphs nested 30 deep are inferred, planned and run in linear time', async () => {
  const sessions = await sessionsOf((b) => {
    const x = b.input('x', 'float32', ['n']);
    b.output('y', nested(b, x, x, b.input('condition', 'bool', []), 30));
  });
  const condition = tensor('bool', [], [1]);
  for (const [stage, session] of sessions)
    assert.is(shown((await session.run({ x: f32([2], [1, 2]), condition })).y), 'float32[4] 1 2 1 2', stage);
});

test('sizes that a branch finds are no sizes found elsewhere', async () => {
  const sessions = await sessionsOf((b) => {
    const [x, d] = [b.input('x', 'float32', ['n']), b.input('d', 'float32', ['k'])];
    const branch = (name: string) => b.subgraph(name, (g) => g.output(`${name}/r`, g.op('NonZero', [x])));
    const branches = { then_branch: branch('then'), else_branch: branch('else') };
    const found = b.op('If', [b.input('condition', 'bool', [])], branches);
    b.output('y', b.op('Neg', [b.op('Expand', [b.op('Neg', [found]), b.op('Shape', [b.op('NonZero', [d])])])]));
  });
  const feeds = { x: f32([2], [0, 1]), d: f32([3], [1, 1, 1]), condition: tensor('bool', [], [1]) };
  for (const [stage, session] of sessions) assert.is(shown((await session.run(feeds)).y), 'int64[1,3] 1 1 1', stage);
});

test.run();
