import type { KnownTensor } from '../draft.js';
import { type Draft, Unfit } from '../draft.js';
import type { ProgramNode } from '../program.js';
import type { Maker, Makers } from './maker.js';
import { meet } from './partner.js';

const UNARY = ['Relu', 'Sigmoid', 'Neg', 'Tanh', 'Abs', 'Softplus'];

const node = (op: string, inputs: readonly string[], outputs: readonly string[], attributes = {}): ProgramNode => ({
  op,
  domain: '',
  inputs,
  outputs,
  attributes,
});

/** A few operators on `from`, which keep its type and shape; `captured` is read from outside. */
function chain(g: Draft, from: string, captured: string | undefined): { nodes: ProgramNode[]; result: string } {
  const nodes: ProgramNode[] = [];
  let result = from;
  for (let n = 1 + g.choices.below(3); n > 0; n--) {
    const made = g.name('b');
    const joins = captured !== undefined && g.choices.chance(0.5);
    nodes.push(
      joins
        ? node(g.choices.pick(['Add', 'Mul', 'Max', 'Sub']), g.choices.shuffled([result, captured]), [made])
        : node(g.choices.pick(UNARY), [result], [made]),
    );
    result = made;
  }
  return { nodes, result };
}

/** Something of the same shape for a body to capture. */
const capturedFor = (g: Draft, x: KnownTensor) => {
  const fits = (other: KnownTensor) =>
    other.type === x.type && meet(x, other) && other.values.every((v, set) => `${v.dims}` === `${x.values[set]?.dims}`);
  return g.choices.pick(g.tensors.filter(fits)).name;
};

const conditionOf = (g: Draft, x: KnownTensor): KnownTensor => {
  const { chance, pick, below } = g.choices;
  if (chance(0.3)) return g.constant('bool', pick([[], [1]]), [below(2)]);
  if (chance(0.4)) return g.input('bool', pick([[], [1]]), () => [below(2)]);
  const sum = g.op('ReduceSum', [x], { keepdims: 0 });
  return g.op('Greater', [sum, g.number(0, x.type)]);
};

const needsFloats = (x: KnownTensor) => {
  if (!['float32', 'float16', 'float64'].includes(x.type)) throw new Unfit();
};

const branches: Maker = (g, x) => {
  needsFloats(x);
  const condition = conditionOf(g, x);
  const branch = () => {
    const { nodes, result } = chain(g, x.name, capturedFor(g, x));
    return { inputs: [], nodes, outputs: [result] };
  };
  g.node('If', [condition], {}, { bodies: { then_branch: branch(), else_branch: branch() } });
};

/** A state that goes round, and what each round gives out. */
const loop: Maker = (g, x) => {
  needsFloats(x);
  const { chance, below } = g.choices;
  const [i, going, state, more, out] = [g.name('i'), g.name('go'), g.name('s'), g.name('more'), g.name('out')];
  const { nodes, result } = chain(g, state, capturedFor(g, x));
  const given = chance(0.7);
  const body = {
    inputs: [
      { name: i, type: 'int64' as const, dims: [] },
      { name: going, type: 'bool' as const, dims: [] },
      { name: state, type: x.type, dims: x.dims.map((d) => (d < 0 ? g.name('d') : d)) },
    ],
    nodes: [node('Identity', [going], [more]), ...nodes, ...(given ? [node('Neg', [result], [out])] : [])],
    outputs: [more, result, ...(given ? [out] : [])],
  };
  const trips = g.integers([below(4)], []);
  const condition = chance(0.5) ? g.constant('bool', [], [1], false) : null;
  g.node('Loop', [trips, condition, x], {}, { outputs: given ? 2 : 1, bodies: { body } });
};

const scan: Maker = (g, x) => {
  needsFloats(x);
  if (x.dims.length < 2 || x.values.some(({ dims }) => dims.includes(0))) throw new Unfit();
  const [item, state] = [g.name('item'), g.name('s')];
  const dims = x.dims.slice(1).map((d) => (d < 0 ? g.name('d') : d));
  const first = g.op('ReduceSum', [x, g.integers([0])], { keepdims: 0 });
  const sum = g.name('sum');
  const { nodes, result } = chain(g, sum, undefined);
  const input = (name: string) => ({ name, type: x.type, dims });
  const out = g.name('out');
  const body = {
    inputs: [input(state), input(item)],
    nodes: [node('Add', [state, item], [sum]), ...nodes, node('Tanh', [result], [out])],
    outputs: [result, out],
  };
  const reverse = g.choices.chance(0.3) ? { scan_input_directions: [1] } : {};
  g.node('Scan', [first, x], { num_scan_inputs: 1, ...reverse }, { outputs: 2, bodies: { body } });
};

/** A function of the model, called once or twice, also by itself on its own result. */
const called: Maker = (g, x) => {
  needsFloats(x);
  const [a, b] = [g.name('a'), g.name('b')];
  const name = g.name('F');
  const { nodes, result } = chain(g, a, b);
  const read = new Set(nodes.flatMap(({ inputs }) => inputs));
  const inputs = read.has(b) ? [a, b] : [a];
  g.functions.push({ name, inputs, nodes, outputs: [result] });
  const operands = () => inputs.map(() => g.tensors.find(({ name: n }) => n === capturedFor(g, x)) as KnownTensor);
  const [once] = g.node(name, operands(), {}, { domain: 'local' });
  if (g.choices.chance(0.5))
    g.node(
      name,
      inputs.map(() => once as KnownTensor),
      {},
      { domain: 'local' },
    );
};

export const CONTROL: Makers = [
  [1.5, branches],
  [1.5, loop],
  [0.7, scan],
  [1.2, called],
];
