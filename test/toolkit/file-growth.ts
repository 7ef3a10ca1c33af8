import { modelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { tensorOf } from '../../src/tensor/numbers.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { type Choices, choicesOf } from '../fuzz/graphs/choices.js';
import { f32, int64s, numberOf } from '../values.js';

type Builder = ReturnType<typeof modelBuilder>;

/** A matrix that follows from constants alone. */
interface Matrix {
  readonly value: Value;
  readonly rows: number;
  readonly columns: number;
}

const integers = (choices: Choices, count: number, bound: number): number[] =>
  Array.from({ length: count }, () => choices.below(2 * bound) - bound);

let constants = 0;
const named = (b: Builder, tensor: TensorValue): Value => b.constant(`c${constants++}`, tensor);

/** Factors, some of whose products leave the range of floats. */
const FACTORS = [1, 2, -0.5, 1e-30, 1e30];
const SMALL_FACTORS = [1, 2, -0.5, 1e-25, 1e-30];

/** A matrix that is stored in fewer bits, as floats. */
function stored(b: Builder, choices: Choices, name: string): Matrix {
  const [rows, columns] = [1 + choices.below(40), 2 * (1 + choices.below(20))];
  const dims = [rows, columns];
  const values = integers(choices, rows * columns, 8);
  const kind = choices.pick(['float32', 'float16', 'int8', 'int4', 'blocks'] as const);
  if (kind === 'float32') return { value: b.constant(name, tensorOf('float32', dims, values)), rows, columns };
  const held = b.constant(name, tensorOf(kind === 'blocks' ? 'int4' : kind, dims, values));
  if (kind === 'float16') return { value: b.op('Cast', [held], { to: 1 }), rows, columns };
  const scales = kind === 'blocks' ? f32([rows, columns / 2], values.slice(0, (rows * columns) / 2)) : numberOf(0.25);
  const scale = b.constant(`${name}_scale`, scales);
  const attributes = kind === 'blocks' ? { axis: 1, block_size: 2 } : {};
  return { value: b.op('DequantizeLinear', [held, scale], attributes), rows, columns };
}

type Step = (b: Builder, matrix: Matrix, choices: Choices) => Matrix;

const STEPS: readonly Step[] = [
  (b, { value, rows, columns }) => ({
    value: b.op('Transpose', [value], { perm: [1, 0] }),
    rows: columns,
    columns: rows,
  }),
  (b, { value, rows, columns }) => ({ value: b.op('Neg', [value]), rows, columns }),
  (b, { value, rows, columns }, choices) => {
    const factor = named(b, numberOf(choices.pick(FACTORS)));
    return { value: b.op('Mul', [value, factor]), rows, columns };
  },
  (b, { value, rows, columns }, choices) => {
    const times = 1 + choices.below(6);
    const repeats = named(b, int64s([times, 1]));
    return { value: b.op('Tile', [value, repeats]), rows: rows * times, columns };
  },
  (b, { value, rows, columns }) => ({ value: b.op('Concat', [value, value], { axis: 0 }), rows: 2 * rows, columns }),
  (b, { value, rows, columns }, choices) => {
    const places = Array.from({ length: 1 + choices.below(60) }, () => choices.below(rows));
    return { value: b.op('Gather', [value, named(b, int64s(places))]), rows: places.length, columns };
  },
  (b, { value, rows, columns }) => {
    const filled = b.op('ConstantOfShape', [named(b, int64s([rows, columns]))]);
    return { value: b.op('Add', [value, filled]), rows, columns };
  },
  (b, { value, columns }) => {
    const first = b.op('Gather', [value, named(b, int64s([0]))]);
    return { value: b.op('Expand', [first, named(b, int64s([30, columns]))]), rows: 30, columns };
  },
];

/** A model of weights that nodes unpack, repeat and share, in branches too. */
export function weightsModel(seed: number): Uint8Array {
  const choices = choicesOf(seed);
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', [1]);
  const taken = b.input('taken', 'bool', []);
  const matrices = Array.from({ length: 1 + choices.below(3) }, (_, i) => stored(b, choices, `w${i}`));
  for (let i = choices.below(6); i > 0; i--) matrices.push(choices.pick(STEPS)(b, choices.pick(matrices), choices));
  const results = choices.shuffled(matrices).slice(0, 1 + choices.below(3));
  results.forEach(({ value }, i) => {
    // Beside x, which is some 1e30, two factors may be none whose product is 0.
    const factors = [choices.pick(SMALL_FACTORS), choices.pick(SMALL_FACTORS)];
    const scaled = factors.reduce((product, factor) => b.op('Mul', [product, named(b, numberOf(factor))]), x);
    b.output(`y${i}`, b.op('Mul', [scaled, value]), 'float32');
  });
  const { value } = choices.pick(matrices);
  const branch = (name: string, op: string) =>
    b.subgraph(name, (inner) => {
      const turned = inner.op(op, [inner.op('Transpose', [value])]);
      inner.output('r', inner.op('ReduceSum', [turned], { keepdims: 0 }));
    });
  const sum = b.op('If', [taken], { then_branch: branch('t', 'Neg'), else_branch: branch('e', 'Abs') });
  b.output('sum', sum, 'float32', []);
  return b.toBytes();
}
