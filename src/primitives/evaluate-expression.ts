import { broadcastStrides } from '../graph/dims.js';
import type { Expression } from '../graph/expression.js';
import { type ElementType, isFloat, type TypedArray } from '../tensor/element-types.js';
import { emptyData } from '../tensor/empty-data.js';
import { bigintsOf, numbersOf, roundedToOdd, tensorOf, tensorOfBigints, truncated } from '../tensor/numbers.js';
import { evaluateStrided } from '../tensor/strided.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import { FORMULAS, INTEGER_FORMULAS, WRAPPING_FORMULAS } from './formulas.js';

/** Evaluates an expression in JavaScript: each instruction in double precision, rounded to its register; 64-bit integers exactly. */
export function evaluateExpression(
  { register, constants, instructions }: Expression,
  inputs: readonly TensorValue[],
  element: ElementType,
  dims: readonly number[],
): TensorValue {
  const spread = inputs.map((x) => spreadOver(x, dims));
  for (const constant of constants) spread.push(constantOver(constant, register, dims));
  const exact = register === 'I64' && instructions.every(({ op }) => op in INTEGER_FORMULAS);
  return exact
    ? evaluateExactly(instructions, spread, element, dims)
    : evaluateRounded(instructions, spread, element, dims, register);
}

/** `x` broadcast to `dims`; unchanged if the element count is equal. */
const spreadOver = (x: TensorValue, dims: readonly number[]): TensorValue =>
  elementCount(x.dims) === elementCount(dims) ? x : evaluateStrided(x, dims, broadcastStrides(x.dims, dims), 0);

function constantOver(value: number, register: Expression['register'], dims: readonly number[]): TensorValue {
  const type = register === 'I64' ? 'int64' : 'float64';
  return tensorOf(type, dims, new Float64Array(elementCount(dims)).fill(value));
}

/** Elements as a register holds them. */
const heldBy = (register: Expression['register'], x: TensorValue): ArrayLike<number> =>
  register === 'F32' && typeof x.data[0] === 'bigint'
    ? Float64Array.from(x.data as unknown as ArrayLike<bigint>, roundedToOdd)
    : numbersOf(x);

/** Arrays that round results as registers do; 32-bit integers wrap. */
const HOLDERS = { F32: Float32Array, F64: Float64Array, I32: Int32Array, I64: Float64Array };

function evaluateRounded(
  instructions: Expression['instructions'],
  inputs: readonly TensorValue[],
  element: ElementType,
  dims: readonly number[],
  register: Expression['register'],
): TensorValue {
  const count = elementCount(dims);
  const values: ArrayLike<number>[] = inputs.map((x) => heldBy(register, x));
  for (const { op, args, alpha = 0, beta = 0 } of instructions) {
    const [a, b = a, c = a] = args.map((i) => values[i] as ArrayLike<number>);
    const formula = (register === 'I32' ? WRAPPING_FORMULAS[op] : undefined) ?? FORMULAS[op];
    const result = new HOLDERS[register](count);
    for (let i = 0; i < count; i++) {
      const x = formula(a?.[i] as number, b?.[i] as number, c?.[i] as number, Number(alpha), Number(beta));
      result[i] = register === 'I64' ? (Number.isFinite(x) ? Math.trunc(x) : 0) : x;
    }
    values.push(result);
  }
  const results = values.at(-1) as ArrayLike<number>;
  const isCut = register.startsWith('F') && !isFloat(element) && element !== 'bool';
  return isCut ? truncated(element, dims, results) : tensorOf(element, dims, results);
}

function evaluateExactly(
  instructions: Expression['instructions'],
  inputs: readonly TensorValue[],
  element: ElementType,
  dims: readonly number[],
): TensorValue {
  const count = elementCount(dims);
  const values = inputs.map(bigintsOf);
  const wrap = inputs.every(({ type }) => type === 'uint64') ? BigInt.asUintN : BigInt.asIntN;
  for (const [step, { op, args }] of instructions.entries()) {
    // The last result wraps to the result's type instead.
    const kept = step < instructions.length - 1 ? (x: bigint) => wrap(64, x) : (x: bigint) => x;
    const [a, b = a, c = a] = args.map((i) => values[i] as ArrayLike<bigint>);
    const formula = INTEGER_FORMULAS[op] as (a: bigint, b: bigint, c: bigint) => bigint;
    const result = new Array<bigint>(count);
    for (let i = 0; i < count; i++) result[i] = kept(formula(a?.[i] as bigint, b?.[i] as bigint, c?.[i] as bigint));
    values.push(result);
  }
  const results = values.at(-1) as ArrayLike<bigint>;
  if (isFloat(element)) return tensorOf(element, dims, Array.from(results, Number));
  return tensorOfBigints(element, dims, results);
}

/** Applies a formula to elements as stored; to the real and imaginary parts of complex numbers separately. */
export function evaluateFormula(
  formula: (...elements: never[]) => unknown,
  inputs: readonly TensorValue[],
  type: ElementType,
  dims: readonly number[],
): TensorValue {
  const spread = inputs.map((x) => spreadOver(x, dims).data);
  const data = emptyData(type, dims) as TypedArray;
  const count = elementCount(dims);
  const perElement = spread.map((values) => values.length / count);
  for (let i = 0; i < data.length; i++) {
    const element = Math.floor((i * count) / data.length);
    const own = spread.map((values, k) => values[perElement[k] === 1 ? element : i]);
    data[i] = formula(...(own as never[])) as never;
  }
  return { type, dims, data: data as unknown as TensorValue['data'] };
}
