import { ints, modelBuilder } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Value } from '../../src/graph/graph.js';
import { numbers, randomly } from '../session/run-model.js';
import { int64s, numberOf } from '../values.js';

interface Known {
  readonly value: Value;
  /** The rows n are a symbol of the model; all else is fixed. */
  readonly dims: readonly ('n' | number)[];
}

const UNARY = ['Relu', 'Sigmoid', 'Tanh', 'Neg', 'Abs', 'Sin', 'Identity', 'HardSwish', 'Softplus', 'Erf'];
const BINARY = ['Add', 'Sub', 'Mul', 'Max', 'Min'];

type Make = (graph: RandomGraph, x: Known) => Known | undefined;

/** A random model over x: float32[n,4,6]; many values are read more than once. Half of the rest are outputs too. */
class RandomGraph {
  readonly next: () => number;
  readonly known: Known[] = [];
  #constants = 0;

  constructor(
    seed: number,
    readonly b: ModelBuilder,
  ) {
    this.next = randomly(seed);
  }

  below = (n: number) => Math.floor(this.next() * n);
  pick = <T>(from: readonly T[]): T => from[this.below(from.length)] as T;

  weights(...dims: number[]): Value {
    return this.b.constant(`c${this.#constants++}`, numbers(dims, this.below(1000)));
  }

  whole(values: readonly number[]): Value {
    return this.b.constant(`c${this.#constants++}`, int64s(values));
  }

  scalar(x: number): Value {
    return this.b.constant(`c${this.#constants++}`, numberOf(x));
  }
}

const rest = (dims: Known['dims']) => dims.filter((d): d is number => d !== 'n');

const unary: Make = (g, { value, dims }) => ({ value: g.b.op(g.pick(UNARY), [value]), dims });

const binary: Make = (g, { value, dims }) => {
  const alike = g.known.filter((k) => String(k.dims) === String(dims));
  const other =
    g.next() < 0.6 ? g.pick(alike).value : g.weights(dims.at(-1) === 'n' ? 1 : ((dims.at(-1) ?? 1) as number));
  return { value: g.b.op(g.pick(BINARY), g.next() < 0.5 ? [value, other] : [other, value]), dims };
};

const gate: Make = (g, { value, dims }) => ({ value: g.b.op('Mul', [value, g.b.op('Sigmoid', [value])]), dims });

const transpose: Make = (g, { value, dims }) => {
  const perm = dims.map((_, i) => i).sort(() => g.next() - 0.5);
  return {
    value: g.b.op('Transpose', [value], { perm: ints(perm) }),
    dims: perm.map((axis) => dims[axis] as number),
  };
};

const matmul: Make = (g, { value, dims }) => {
  const k = dims.at(-1);
  if (typeof k !== 'number' || dims.length < 2) return undefined;
  const n = g.pick([1, 4, 6, 9]);
  return { value: g.b.op('MatMul', [value, g.weights(k, n)]), dims: [...dims.slice(0, -1), n] };
};

const conv: Make = (g, { value, dims }) => {
  if (dims.length !== 3 || typeof dims[1] !== 'number') return undefined;
  const m = g.pick([2, 4, 5]);
  const made = g.b.op('Conv', [value, g.weights(m, dims[1], 3), g.next() < 0.5 ? g.weights(m) : null], {
    pads: ints([1, 1]),
  });
  return { value: made, dims: [dims[0] as number, m, dims[2] as number] };
};

const reduce: Make = (g, { value, dims }) => {
  const axis = g.below(dims.length);
  const keepdims = g.below(2);
  const kind = g.pick(['ReduceSum', 'ReduceMean', 'ReduceMax']);
  return {
    value: g.b.op(kind, [value, g.whole([axis])], { keepdims }),
    dims: dims.flatMap((d, i) => (i !== axis ? [d] : keepdims ? [1] : [])),
  };
};

const softmax: Make = (g, { value, dims }) =>
  dims.length > 0 ? { value: g.b.op('Softmax', [value], { axis: g.below(dims.length) }), dims } : undefined;

const concat: Make = (g, { value, dims }) => {
  const axis = dims.findIndex((d) => typeof d === 'number');
  if (axis < 0 || (dims[axis] as number) > 12) return undefined;
  const alike = g.known.filter((k) => String(k.dims) === String(dims));
  const other = g.pick(alike).value;
  return {
    value: g.b.op('Concat', [value, other], { axis }),
    dims: dims.map((d, i) => (i === axis ? 2 * (d as number) : d)),
  };
};

const halves: Make = (g, { value, dims }) => {
  const axis = dims.findIndex((d) => typeof d === 'number' && d % 2 === 0);
  if (axis < 0) return undefined;
  const half = dims.map((d, i) => (i === axis ? (d as number) / 2 : d));
  const [first, second] = g.b.node('Split', [value], { axis, num_outputs: 2 }, { outputs: 2 });
  g.known.push({ value: first, dims: half });
  if (axis === 0 && g.next() < 0.5)
    return { value: g.b.op('Add', [value, g.b.op('Slice', [value, g.whole([0]), g.whole([1])])]), dims };
  return { value: second, dims: half };
};

const reshape: Make = (g, { value, dims }) => {
  if (dims[0] !== 'n' || dims.length < 2) return undefined;
  const size = rest(dims).reduce((n, d) => n * d, 1);
  const rows = g.pick([1, 2, size].filter((d) => size % d === 0));
  return { value: g.b.op('Reshape', [value, g.whole([-1, rows, size / rows])]), dims: ['n', rows, size / rows] };
};

const MAKES = [
  unary,
  unary,
  binary,
  binary,
  binary,
  gate,
  transpose,
  matmul,
  conv,
  reduce,
  softmax,
  concat,
  halves,
  reshape,
];

export function randomModel(seed: number): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const g = new RandomGraph(seed, b);
  g.known.push({ value: b.input('x', 'float32', ['n', 4, 6]), dims: ['n', 4, 6] });
  for (let i = 0; i < 14; i++) {
    const recent = g.next() < 0.6 ? (g.known.at(-1) as Known) : g.pick(g.known);
    const made = g.pick(MAKES)(g, recent);
    if (made && rest(made.dims).reduce((n, d) => n * d, 1) < 4000) g.known.push(made);
  }
  g.known.slice(1).forEach(({ value }, i, all) => {
    if (i === all.length - 1 || g.next() < 0.2) b.output(`y${i}`, value);
  });
  return b.toBytes();
}
