import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inferGraph } from '../../src/analysis/infer-graph.js';
import { float, modelBuilder } from '../../src/builder/index.js';
import type { Node } from '../../src/graph/graph.js';
import { bindOpsets } from '../../src/model/bind-opsets.js';
import { mergeCommonSubexpressions } from '../../src/optimize/common-subexpressions.js';
import { GraphEditor } from '../../src/optimize/editor.js';
import { prepare } from '../../src/optimize/prepare.js';
import { rewrite } from '../../src/optimize/rewrite.js';
import type { RewriteLog } from '../../src/optimize/rewrite-log.js';
import type { Rule } from '../../src/optimize/rule.js';
import { type Build, modelOf, numbers, open } from '../session/run-model.js';
import { f32, int64s } from '../values.js';
import { agreeing } from './agreement.js';

const test = suite('the rewrite engine');

function editorOf(build: Build): GraphEditor {
  const b = modelBuilder({ opset: 21 });
  build(b, b.input('x', 'float32', [2, 3, 4]));
  const { graph, opsets } = b.toModel();
  bindOpsets(graph, opsets);
  return new GraphEditor(graph, inferGraph(graph));
}

const operators = (editor: GraphEditor) => editor.nodes.map((node) => node.op);
const newLog = (): Required<RewriteLog> => ({
  applied: [],
  refused: [],
  limit: Number.POSITIVE_INFINITY,
  refuses: () => undefined,
});

test('nodes that nobody reads go, in chains, and no others', () => {
  const editor = editorOf((b, x) => {
    b.op('Exp', [b.op('Sin', [b.op('Cos', [x])])]);
    b.output('y', b.op('Neg', [b.op('Abs', [x])]));
  });
  editor.dropDead();
  assert.equal(operators(editor), ['Abs', 'Neg']);
});

test('equal nodes become one, also where attributes are infinite or outputs of the graph', () => {
  const editor = editorOf((b, x) => {
    const parts = [1, 1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0].map((alpha) =>
      b.op('LeakyRelu', [x], { alpha: float(alpha) }),
    );
    b.output('y', b.op('Sum', parts));
    b.output('z', b.op('LeakyRelu', [x], { alpha: float(1) }));
  });
  mergeCommonSubexpressions(editor);
  assert.is(operators(editor).filter((op) => op === 'LeakyRelu').length, 6);
});

const around: Rule = {
  name: 'there and back',
  roots: ['Sin', 'Cos'],
  propose: (node, _editor, build) => ({
    replaces: build.emit(node.op === 'Sin' ? 'Cos' : 'Sin', [node.inputs[0] ?? null]),
    covers: [node],
  }),
};

test('a constant that every node reads costs no more than many constants', () => {
  const halve: Rule = {
    name: 'halve',
    roots: ['Mul'],
    propose: (node, _editor, build) => ({ replaces: build.emit('Div', node.inputs), covers: [node] }),
  };
  const COUNT = 300;
  const editor = editorOf((b, x) => {
    const half = b.constant('half', { type: 'float32', dims: [], data: Float32Array.of(0.5) });
    let y = x;
    for (let i = 0; i < COUNT; i++) y = b.op('Mul', [y, half]);
    b.output('y', y);
  });
  let looked = 0;
  const readersOf = editor.readersOf.bind(editor);
  editor.readersOf = (value) => {
    const readers = readersOf(value);
    looked += readers.size;
    return readers;
  };
  rewrite(editor, [halve], newLog());
  assert.equal(operators(editor), new Array(COUNT).fill('Div'));
  assert.ok(looked < 10 * COUNT, `${looked} readers looked at`);
});

test('rules that run in circles are stopped', () => {
  const editor = editorOf((b, x) => b.output('y', b.op('Sin', [x])));
  const log = newLog();
  rewrite(editor, [around], log);
  assert.is(log.refused.at(-1)?.reason, 'rewriting does not end');
});

const becoming = (name: string, make: (node: Node) => [operator: string, attributes: Node['attributes']]): Rule => ({
  name,
  roots: ['Sin'],
  propose: (node, _editor, build) => ({
    replaces: build.emit(make(node)[0], node.inputs, make(node)[1]),
    covers: [node],
  }),
});

test('a rewrite that changes the type, or makes nodes that do not take their inputs, is refused', () => {
  for (const [rule, reason] of [
    [
      becoming('other element', () => ['Cast', { to: { type: 'int', value: 6 } }]),
      /float32\[2,3,4\] would become int32/,
    ],
    [becoming('other dims', () => ['Flatten', {}]), /would become float32\[2,12\]/],
    [becoming('wrong type', () => ['Not', {}]), /expected bool/],
    [becoming('wrong attribute', () => ['Cast', {}]), /needs the attribute "to"/],
  ] as const) {
    const editor = editorOf((b, x) => b.output('y', b.op('Sin', [x])));
    const log = newLog();
    rewrite(editor, [rule], log);
    assert.equal(log.applied, []);
    assert.match(log.refused[0]?.reason ?? 'nothing refused', reason);
    assert.equal(operators(editor), ['Sin']);
  }
});

test('maxRewrites stops after so many, and the refusals are there on request', async () => {
  const model = modelOf((b, x) => {
    const gate = b.op('Sigmoid', [x]);
    b.output('y', b.op('Mul', [b.op('Identity', [b.op('Mul', [x, gate])]), gate]));
  });
  const one = await open(model, { maxRewrites: 1 });
  assert.equal(
    one.rewrites.applied.map(({ rule }) => rule),
    ['identity'],
  );
  assert.is(one.rewrites.refused, undefined);
  const all = await open(model, { explainRewrites: true });
  assert.ok(all.rewrites.refused?.some(({ rule, reason }) => rule.startsWith('SiLU') && /used elsewhere/.test(reason)));
});

test('symbols of the inputs stay true', async () => {
  const model = modelOf(
    (b, x) => {
      const y = b.op('Transpose', [b.op('Relu', [x])]);
      const shape = b.op('Concat', [b.op('Shape', [y], { start: 1, end: 2 }), b.constant('rest', int64s([-1]))], {
        axis: 0,
      });
      b.output('y', b.op('Reshape', [y, shape]));
      b.output('s', b.op('Shape', [y]));
    },
    ['n', 3, 'm'],
  );
  for (const dims of [
    [2, 3, 4],
    [1, 3, 1],
    [5, 3, 2],
  ]) {
    const { results } = await agreeing(model, { x: numbers(dims) });
    assert.equal([...(results.s as { data: BigInt64Array }).data], [...dims].reverse().map(BigInt));
  }
});

/** Types that fused operators may not take. */
for (const [name, to, tolerance] of [
  ['double', 11, 1e-6],
  ['float16', 10, 4e-3],
] as const) {
  test(`patterns on ${name}`, async () => {
    await agreeing(
      modelOf((b, x) => {
        const h = b.op('Cast', [x], { to });
        const of = (value: number, key: string) => b.op('Cast', [b.constant(key, f32([], [value]))], { to });
        const silu = b.op('Mul', [h, b.op('Sigmoid', [h])]);
        const erf = b.op('Add', [b.op('Erf', [b.op('Div', [h, of(Math.SQRT2, 'root')])]), of(1, 'one')]);
        const gelu = b.op('Mul', [b.op('Mul', [h, erf]), of(0.5, 'half')]);
        const product = b.op('MatMul', [b.op('Transpose', [silu], { perm: [0, 2, 1] }), gelu]);
        b.output('y', b.op('Cast', [b.op('Relu', [product])], { to: 1 }));
      }),
      { x: numbers([2, 3, 4]) },
      tolerance,
    );
  });
}

test('an output may be an input or a constant', async () => {
  const model = modelOf((b, x) => {
    b.output('same', b.op('Identity', [x]));
    b.output('twice', b.op('Identity', [b.op('Identity', [x])]));
    b.output('folded', b.op('Neg', [b.constant('c', f32([2], [1, 2]))]));
    b.output('shape', b.op('Shape', [x]));
  });
  const { results } = await agreeing(model, { x: numbers([2, 3, 4]) });
  assert.equal((results.folded as { data: unknown }).data, Float32Array.of(-1, -2));
});

test('a prepared model says what was done to it', async () => {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Abs', [b.op('Identity', [b.input('x', 'float32', [1])])]));
  const { graph, rewrites } = await prepare(b.toModel(), {});
  assert.equal(rewrites.applied, [{ rule: 'identity', node: 'Identity_0' }]);
  assert.equal(
    graph.nodes.map((node) => node.op),
    ['Abs'],
  );
});

test.run();
