import type { Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { type Permutation, without } from './permutation.js';

/** The part of `Draft` that is needed here. */
interface Sheet<Settings> {
  emit(op: string, inputs: readonly (Value | null)[], settings?: Settings): Value;
  transpose(x: Value, permutation: Permutation): Value;
  transposedOf(x: Value | null): { readonly base: Value; readonly permutation: Permutation } | undefined;
  aligned(x: Value, permutation: Permutation): Value;
  known(x: Value | undefined): readonly number[] | undefined;
  dims(x: Value): readonly Size[] | undefined;
  list(...numbers: number[]): Value;
}

interface Written<S> {
  readonly sheet: Sheet<S>;
  readonly op: string;
  readonly inputs: readonly (Value | null)[];
  readonly settings: S;
  /** The permutation of the first transposed input. */
  readonly permutation: Permutation;
  readonly base: Value;
}

type Settings = Readonly<Record<string, unknown>>;
type Way = (written: Written<Settings>) => Value | undefined;

/** Moves the transpose behind an element-wise operator. Constants are transposed. */
const elementwise: Way = ({ sheet, op, inputs, settings, permutation }) => {
  const operands = inputs.map((x): Value | null | undefined => {
    const other = sheet.transposedOf(x);
    if (other) return `${other.permutation}` === `${permutation}` ? other.base : undefined;
    if (!x || sheet.dims(x)?.length === 0) return x;
    return sheet.known(x) && (sheet.dims(x)?.length ?? 9) <= permutation.length
      ? sheet.aligned(x, permutation)
      : undefined;
  });
  if (operands.includes(undefined)) return undefined;
  return sheet.transpose(sheet.emit(op, operands as (Value | null)[], settings), permutation);
};

/** Moves the transpose behind an operator along an axis. */
const along: Way = ({ sheet, op, inputs, settings, permutation }) => {
  const bases = inputs.map((x) => sheet.transposedOf(x));
  if (!bases.every((other) => `${other?.permutation}` === `${permutation}`)) return undefined;
  const axis = permutation.at((settings.axis ?? -1) as number);
  const result = sheet.emit(
    op,
    bases.map((other) => other?.base as Value),
    { ...settings, axis },
  );
  return sheet.transpose(result, permutation);
};

/** Moves the transpose behind an operator with constant axes, which it may remove. */
const over: Way = ({ sheet, op, inputs, settings, permutation, base }) => {
  const given = inputs[1] && sheet.known(inputs[1]);
  if (!given) return undefined;
  const axes = given.map((axis) => (axis < 0 ? axis + permutation.length : axis));
  const list = sheet.list(...axes.map((axis) => permutation[axis] as number).sort((a, b) => a - b));
  const result = sheet.emit(op, [base, list], settings);
  return sheet.transpose(
    result,
    op !== 'Squeeze' && settings.keepdims !== 0 ? permutation : without(permutation, axes),
  );
};

const pad: Way = ({ sheet, op, inputs: [, pads, ...others], settings, permutation, base }) => {
  const numbers = pads && sheet.known(pads);
  if (!numbers) return undefined;
  const rank = permutation.length;
  const moved = numbers.map((_, i) => numbers[permutation.indexOf(i % rank) + (i < rank ? 0 : rank)] as number);
  return sheet.transpose(sheet.emit(op, [base, sheet.list(...moved), ...others], settings), permutation);
};

/** Removes the transpose if it only moves axes of size 1, so that the order of elements is the same. */
const reshape: Way = ({ sheet, op, inputs: [, ...others], settings, permutation, base }) => {
  const dims = sheet.dims(base);
  const moved = permutation.filter((axis) => dims?.[axis] !== 1);
  return moved.every((axis, i) => i === 0 || axis > (moved[i - 1] as number))
    ? sheet.emit(op, [base, ...others], settings)
    : undefined;
};

const WAYS: readonly (readonly [Way, string])[] = [
  [
    elementwise,
    `Abs Acos Acosh Add And Asin Asinh Atan Atanh Cast Ceil Clip Cos Cosh Div Elu Equal Erf Exp Floor Gelu Greater GreaterOrEqual
    HardSigmoid IsInf IsNaN LeakyRelu Less LessOrEqual Log Max Min Mod Mul Neg Not Or Pow PRelu Reciprocal Relu Round Selu Sigmoid Sign
    Sin Sinh Softplus Softsign Sqrt Sub Sum Tan Tanh ThresholdedRelu Where`,
  ],
  [along, 'Concat Softmax LogSoftmax'],
  [over, 'ReduceL2 ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum Squeeze'],
  [pad, 'Pad'],
  [reshape, 'Reshape'],
];
const WAY_OF = new Map(WAYS.flatMap(([way, ops]) => ops.split(/\s+/).map((op) => [op, way] as const)));

/** Applies an operator before the transpose of its operands instead of after it; undefined if this is not possible. */
export function sunk<S extends Settings>(
  sheet: Sheet<S>,
  op: string,
  inputs: readonly (Value | null)[],
  settings: S,
): Value | undefined {
  const way = WAY_OF.get(op);
  const first = way && inputs.map((x) => sheet.transposedOf(x)).find((x) => x !== undefined);
  return first && way({ ...first, sheet: sheet as unknown as Sheet<Settings>, op, inputs, settings });
}
