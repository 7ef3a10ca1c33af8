import { account } from '../../../account.js';
import { intAttribute, intsAttribute } from '../../../graph/attributes.js';
import { stridesOf } from '../../../graph/dims.js';
import type { Value } from '../../../graph/graph.js';
import { isKnown, type Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { string } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { NUMBERS } from '../../../schema/element-sets.js';
import { isFloat } from '../../../tensor/element-types.js';
import { bigintsOf, numbersOf, tensorOf, tensorOfBigints } from '../../../tensor/numbers.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { int64List } from '../../constants.js';
import { emitOne, listOf } from '../../emit.js';
import { shapeOf, sizesAlong } from '../../emit-shapes.js';
import { type Equation, parseEquation } from './einsum-equation.js';

interface EinsumAttributes {
  readonly equation: string;
}

type Context = Decomposition<EinsumAttributes>;

/** A value whose axes have labels. */
interface Term {
  readonly value: Value;
  readonly labels: readonly string[];
  readonly dims: readonly Size[];
}

/** The equation and the size of each label; undefined if a rank is unknown. */
function read(c: Inference<EinsumAttributes>): { equation: Equation; sizes: Map<string, Size> } | undefined {
  const all = Array.from({ length: c.inputCount }, (_, i) => c.dims(i));
  if (!all.every((dims) => dims !== undefined)) return undefined;
  const ranks = all.map((dims) => dims.length);
  const equation = parseEquation(c, c.attributes.equation, ranks);
  const sizes = new Map<string, Size>();
  equation.operands.forEach((labels, i) => {
    labels.forEach((label, axis) => {
      const size = all[i]?.[axis] as Size;
      const known = sizes.get(label);
      if (typeof known === 'number' && typeof size === 'number' && known !== size && known !== 1 && size !== 1) {
        c.fail('INVALID_SHAPE', `"${label}" of ${c.attributes.equation} is both ${known} and ${size}`);
      }
      if (known === undefined || known === 1 || typeof known !== 'number')
        sizes.set(label, size === 1 ? (known ?? 1) : size);
    });
  });
  return { equation, sizes };
}

/** Transposes a term to the order of `labels`. */
function ordered(c: Context, term: Term, labels: readonly string[]): Term {
  if (labels.every((label, i) => label === term.labels[i])) return term;
  const perm = labels.map((label) => term.labels.indexOf(label));
  const [value] = c.emit('Transpose', [term.value], { perm: intsAttribute(perm) }) as [Value];
  return { value, labels, dims: perm.map((axis) => term.dims[axis] as Size) };
}

/** Sums a term over labels that are not needed. */
function summed(c: Context, term: Term, needed: ReadonlySet<string>): Term {
  const kept = term.labels.filter((label) => needed.has(label));
  if (kept.length === term.labels.length) return term;
  const axes = term.labels.flatMap((label, axis) => (needed.has(label) ? [] : [axis]));
  const inputs = [term.value, c.constant(int64List(axes))];
  const [value] = c.emit('ReduceSum', inputs, { keepdims: intAttribute(0) }) as [Value];
  return { value, labels: kept, dims: term.dims.filter((_, axis) => !axes.includes(axis)) };
}

const reshaped = (c: Context, value: Value, ...sizes: readonly Value[]): Value =>
  emitOne(c, 'Reshape', [value, shapeOf(c, ...sizes)], { allowzero: intAttribute(1) });

/** The product of the sizes of the axes from `start` to `end`, as an int64 list. */
function countAlong(c: Context, { value }: Term, start: number, end: number): Value {
  const sizes = sizesAlong(c, value, start, end);
  return end === start + 1 ? sizes : emitOne(c, 'ReduceProd', [sizes]);
}

/** Adds `count` axes of size 1 at `axis`. */
const spread = (c: Context, value: Value, axis: number, count: number): Value =>
  emitOne(c, 'Unsqueeze', [
    value,
    listOf(
      c,
      Array.from({ length: count }, (_, i) => axis + i),
    ),
  ]);

/** a · b, summed over the labels that are not `needed`. */
function multiplied(c: Context, a: Term, b: Term, needed: ReadonlySet<string>): Term | undefined {
  const inBoth = a.labels.filter((label) => b.labels.includes(label));
  const batch = inBoth.filter((label) => needed.has(label));
  const folded = inBoth.filter((label) => !needed.has(label));
  const left = a.labels.filter((label) => !inBoth.includes(label));
  const right = b.labels.filter((label) => !inBoth.includes(label));
  const rows = ordered(c, a, [...batch, ...left, ...folded]);
  const columns = ordered(c, b, [...batch, ...right, ...folded]);
  const sizesOf = (term: Term, labels: readonly string[]) =>
    labels.map((l) => term.dims[term.labels.indexOf(l)] as Size);
  const joint = batch.map((_, i) => (rows.dims[i] === 1 ? columns.dims[i] : rows.dims[i]) as Size);
  const labels = [...batch, ...left, ...right];
  const dims = [...joint, ...sizesOf(a, left), ...sizesOf(b, right)];

  const matrices = left.length === 1 && right.length === 1 && folded.length === 1;
  if (matrices) {
    const [value] = c.emit('sardonyx:MatMul', [rows.value, columns.value], { transB: intAttribute(1) }) as [Value];
    return { value, labels, dims };
  }
  if (!isKnown([...rows.dims, ...columns.dims])) return undefined;
  const [shared, inLeft, inRight] = [batch.length, batch.length + left.length, batch.length + right.length];
  if (folded.length === 0) {
    const x = spread(c, rows.value, inLeft, right.length);
    const y = spread(c, columns.value, shared, left.length);
    const [value] = c.emit('Mul', [x, y]) as [Value];
    return { value, labels, dims };
  }
  const matrix = (term: Term, end: number) =>
    reshaped(
      c,
      term.value,
      sizesAlong(c, term.value, 0, shared),
      countAlong(c, term, shared, end),
      countAlong(c, term, end, term.dims.length),
    );
  const [x, y] = [matrix(rows, inLeft), matrix(columns, inRight)];
  const [product] = c.emit('sardonyx:MatMul', [x, y], { transB: intAttribute(1) }) as [Value];
  const sizes = [
    sizesAlong(c, product as Value, 0, shared),
    sizesAlong(c, rows.value, shared, inLeft),
    sizesAlong(c, columns.value, shared, inRight),
  ];
  return { value: reshaped(c, product as Value, ...sizes), labels, dims };
}

/** Contracts operand by operand, with sums, transposes and one product each. Repeated labels in one operand run in JavaScript. */
function decompose(c: Context): Value[] | undefined {
  const known = read(c);
  if (!known || c.element(0) !== 'float32') return undefined;
  const { operands, output } = known.equation;
  if (operands.some((labels) => new Set(labels).size !== labels.length)) return undefined;
  let result: Term | undefined;
  for (const [i, labels] of operands.entries()) {
    const later = new Set([...output, ...operands.slice(i + 1).flat()]);
    const own: Term = { value: c.input(i), labels, dims: c.dims(i) as readonly Size[] };
    const term = summed(c, own, new Set([...later, ...(result?.labels ?? [])]));
    if (!result) {
      result = summed(c, term, later);
      continue;
    }
    const alone = summed(c, result, new Set([...later, ...term.labels]));
    result = multiplied(c, alone, term, later);
    if (!result) return undefined;
  }
  return result && [ordered(c, result, output).value];
}

/** https://onnx.ai/onnx/operators/onnx__Einsum.html */
export const einsum = defineOp({
  name: 'Einsum',
  since: 12,
  signature: 'Inputs...: T -> Output: T',
  types: { T: NUMBERS },
  attributes: { equation: string.required },
  infer(c) {
    const known = read(c);
    return [
      tensorType(
        c.element(0),
        known?.equation.output.map((label) => known.sizes.get(label) as Size),
      ),
    ];
  },
  decompose,
  evaluate(c) {
    const { equation, sizes } = read(c) as NonNullable<ReturnType<typeof read>>;
    const { operands, output } = equation;
    const labels = [...new Set([...output, ...operands.flat()])];
    const dims = labels.map((label) => sizes.get(label) as number);
    const isExact = !isFloat(c.element(0));
    const valuesOf = isExact ? bigintsOf : numbersOf;
    // JavaScript's operators work on bigints as well, though the types are declared as numbers.
    const values = operands.map((_, i) => valuesOf(c.tensor(i)) as ArrayLike<number>);
    const [zero, one] = (isExact ? [0n, 1n] : [0, 1]) as [number, number];
    const strides = operands.map((own, i) => {
      const { dims: shape } = c.tensor(i);
      const steps = stridesOf(shape);
      return labels.map((label) =>
        own.reduce((sum, l, axis) => (l === label && shape[axis] !== 1 ? sum + (steps[axis] as number) : sum), 0),
      );
    });
    const outDims = dims.slice(0, output.length);
    const total = elementCount(outDims);
    const y = (isExact ? new Array(total).fill(zero) : new Float64Array(total)) as number[];
    const folded = elementCount(dims.slice(output.length));
    const all = stridesOf(dims);
    for (let i = 0; i < y.length * folded; i++) {
      account()?.spend(4 * labels.length);
      let product = one;
      for (let o = 0; o < values.length; o++) {
        let at = 0;
        for (let l = 0; l < labels.length; l++) {
          at += (Math.floor(i / (all[l] as number)) % (dims[l] as number)) * (strides[o]?.[l] as number);
        }
        product *= values[o]?.[at] as number;
      }
      const to = Math.floor(i / folded);
      y[to] = (y[to] as number) + product;
    }
    const exact = y as unknown as bigint[];
    return [isExact ? tensorOfBigints(c.element(0), outDims, exact) : tensorOf(c.element(0), outDims, y)];
  },
});
