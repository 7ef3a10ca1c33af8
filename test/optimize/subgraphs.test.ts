import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type GraphBuilder, modelBuilder } from '../../src/builder/index.js';
import type { Graph, Value } from '../../src/graph/graph.js';
import { allNodes } from '../../src/graph/walk.js';
import { prepare } from '../../src/optimize/prepare.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { numbers, open } from '../session/run-model.js';
import { bool, f32, int, int64s, numberOf } from '../values.js';
import { agreeing } from './agreement.js';

const test = suite('rewrites within subgraphs');

let constants = 0;
const constant = (g: GraphBuilder, value: TensorValue) => g.constant(`c${constants++}`, value);
const scalar = (g: GraphBuilder, x: number) => constant(g, numberOf(x));

const onePlusErf = (g: GraphBuilder, x: Value) =>
  g.op('Add', [g.op('Erf', [g.op('Div', [x, scalar(g, Math.SQRT2)])]), scalar(g, 1)]);
const gelu = (g: GraphBuilder, x: Value) => g.op('Mul', [g.op('Mul', [x, scalar(g, 0.5)]), onePlusErf(g, x)]);

function normalized(g: GraphBuilder, x: Value) {
  const axes = constant(g, int64s([-1]));
  const centered = g.op('Sub', [x, g.op('ReduceMean', [x, axes])]);
  const variance = g.op('ReduceMean', [g.op('Pow', [centered, scalar(g, 2)]), axes]);
  const unit = g.op('Div', [centered, g.op('Sqrt', [g.op('Add', [variance, scalar(g, 1e-5)])])]);
  return g.op('Add', [g.op('Mul', [unit, constant(g, numbers([4], 7))]), constant(g, numbers([4], 8))]);
}

const isPositive = (g: GraphBuilder, x: Value) =>
  g.op('Greater', [g.op('ReduceSum', [x], { keepdims: 0 }), scalar(g, 0)]);

type Branch = (g: GraphBuilder) => Value;

const conditional = (g: GraphBuilder, condition: Value, taken: Branch, other: Branch): Value => {
  const branch = (name: string, make: Branch) =>
    g.subgraph(name, (inner) => inner.output(`${name}_${constants++}`, make(inner)));
  return g.op('If', [condition], { then_branch: branch('taken', taken), else_branch: branch('other', other) });
};

/** y, of x in float32[2, 3, 4]. */
function modelOf(make: (b: GraphBuilder, x: Value) => Value): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.output('y', make(b, b.input('x', 'float32', [2, 3, 4])));
  return b.toBytes();
}

const [UP, DOWN] = [numbers([2, 3, 4], 1), numbers([2, 3, 4], 2)].map((x, i) =>
  f32(
    [2, 3, 4],
    Float32Array.from(x.data as Float32Array, (v) => v + (i ? -1 : 1)),
  ),
) as [TensorValue, TensorValue];

/** The names of the rules that applied, where both ways agree at all levels and after each number of rewrites. */
async function appliedIn(model: Uint8Array): Promise<string[]> {
  const { rewrites } = await agreeing(model, { x: UP });
  await agreeing(model, { x: DOWN });
  return rewrites.applied.map(({ rule }) => rule);
}

const times = (rules: readonly string[], name: string) => rules.filter((rule) => rule === name).length;

test('both branches of an If', async () => {
  const rules = await appliedIn(
    modelOf((b, x) =>
      conditional(
        b,
        isPositive(b, x),
        (g) => gelu(g, x),
        (g) => normalized(g, gelu(g, x)),
      ),
    ),
  );
  assert.is(times(rules, 'GELU from erf'), 2);
  assert.is(times(rules, 'layer normalization from its parts'), 1);
});

test('an If within an If, which reads what is made around both', async () => {
  const rules = await appliedIn(
    modelOf((b, x) => {
      const turned = b.op('Neg', [x]);
      const inner = (g: GraphBuilder) =>
        conditional(
          g,
          isPositive(g, turned),
          (h) => gelu(h, turned),
          (h) => h.op('Add', [gelu(h, x), turned]),
        );
      return conditional(b, isPositive(b, x), inner, (g) => g.op('Mul', [inner(g), x]));
    }),
  );
  assert.is(times(rules, 'GELU from erf'), 4);
});

test('what a branch reads stays', async () => {
  const model = modelOf((b, x) => {
    const sum = onePlusErf(b, x);
    const whole = b.op('Mul', [b.op('Mul', [x, scalar(b, 0.5)]), sum]);
    const picked = conditional(
      b,
      isPositive(b, x),
      (g) => g.op('Neg', [sum]),
      (g) => g.op('Neg', [x]),
    );
    return b.op('Add', [whole, picked]);
  });
  assert.is(times(await appliedIn(model), 'GELU from erf'), 0);
  const { rewrites } = await open(model, { explainRewrites: true });
  assert.ok(
    rewrites.refused?.some(({ rule, reason }) => rule === 'GELU from erf' && reason.endsWith('is used elsewhere')),
  );
});

/** n rounds of a body, which makes of its state the next one. */
const looped = (b: GraphBuilder, rounds: number, x: Value, round: (g: GraphBuilder, state: Value) => Value): Value => {
  const body = b.subgraph('body', (g) => {
    g.input(`i_${constants}`, 'int64', []);
    const goesOn = g.input(`goes_on_${constants}`, 'bool', []);
    const state = g.input(`state_${constants}`, 'float32');
    g.output(`still_${constants++}`, g.op('Identity', [goesOn]));
    g.output(`next_${constants++}`, round(g, state));
  });
  return b.op('Loop', [constant(b, int(rounds)), constant(b, bool(true)), x], { body });
};

test('the body of a Loop', async () => {
  const rules = await appliedIn(
    modelOf((b, x) => looped(b, 3, x, (g, state) => normalized(g, g.op('Add', [gelu(g, state), x])))),
  );
  assert.is(times(rules, 'GELU from erf'), 1);
  assert.is(times(rules, 'layer normalization from its parts'), 1);
});

test('the body of a Loop whose state grows', async () => {
  const rules = await appliedIn(
    modelOf((b, x) => looped(b, 3, x, (g, state) => g.op('Concat', [gelu(g, state), x], { axis: 1 }))),
  );
  assert.is(times(rules, 'GELU from erf'), 1);
});

test('the body of a Scan', async () => {
  const rules = await appliedIn(
    modelOf((b, x) => {
      const body = b.subgraph('body', (g) => {
        const [sum, row] = [g.input('sum', 'float32'), g.input('row', 'float32')];
        const next = g.op('Add', [sum, gelu(g, row)]);
        g.output('next', next);
        g.output('passed', g.op('Identity', [next]));
      });
      const start = constant(b, f32([3, 4], new Float32Array(12)));
      return (b.node('Scan', [start, x], { body, num_scan_inputs: 1 }, { outputs: 2 }) as Value[])[1] as Value;
    }),
  );
  assert.is(times(rules, 'GELU from erf'), 1);
});

test('a branch that cannot run is left as it is, and refused when it is taken', async () => {
  const model = modelOf((b, x) =>
    conditional(
      b,
      isPositive(b, x),
      (g) => gelu(g, x),
      (g) => g.op('Add', [gelu(g, x), g.op('Gather', [constant(g, f32([3], [1, 2, 3])), constant(g, int(7))])]),
    ),
  );
  const session = await open(model);
  assert.equal((await session.run({ x: UP })).y?.dims, [2, 3, 4]);
  const refused = await session.run({ x: DOWN }).catch((error) => error);
  assert.is(refused.code, 'INVALID_VALUE');
});

/** The constants that products within subgraphs read. */
const weightsIn = (graph: Graph) =>
  [...allNodes(graph)].filter(({ op }) => op.startsWith('MatMul')).map(({ inputs }) => inputs[1]?.constant);

test('what both branches make of a constant is one', async () => {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', [2, 3, 4]);
  const weights = constant(b, numbers([40, 4], 3));
  const product = (g: GraphBuilder) => g.op('MatMul', [x, g.op('Transpose', [weights])]);
  b.output(
    'y',
    conditional(b, isPositive(b, x), product, (g) => g.op('Neg', [product(g)])),
  );
  const { graph } = await prepare(b.toModel(), {});
  const [one, other] = weightsIn(graph);
  assert.equal(one?.dims, [4, 40]);
  assert.is(one, other);
  await agreeing(b.toBytes(), { x: UP });
  await agreeing(b.toBytes(), { x: DOWN });
});

test('weights in 8 bits, read around the branches that multiply by them', async () => {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', [3, 64]);
  const codes = constant(b, {
    type: 'int8',
    dims: [64, 96],
    data: Int8Array.from({ length: 64 * 96 }, (_, i) => (i * 37) % 255),
  });
  const weights = b.op('DequantizeLinear', [codes, scalar(b, 0.01)]);
  b.output(
    'y',
    conditional(
      b,
      isPositive(b, x),
      (g) => g.op('MatMul', [x, weights]),
      (g) => g.op('MatMul', [g.op('Neg', [x]), weights]),
    ),
  );
  const feeds = [1, -1].map((sign) => ({
    x: f32(
      [3, 64],
      Float32Array.from(numbers([3, 64], 5).data as Float32Array, (v) => v + sign),
    ),
  }));
  for (const feed of feeds) {
    const { rewrites } = await agreeing(b.toBytes(), feed, 1e-3);
    assert.is(
      times(
        rewrites.applied.map(({ rule }) => rule),
        'product with quantized weights',
      ),
      2,
    );
  }
  const { graph } = await prepare(b.toModel(), {});
  assert.not.ok([...allNodes(graph)].some(({ op }) => op === 'DequantizeLinear'));
});

test.run();
