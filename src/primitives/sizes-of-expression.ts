import type { Expression, OpcodeName, Register } from '../graph/expression.js';
import { isAtMost, isSame } from '../graph/guards.js';
import {
  add,
  floorDivide,
  maximum,
  minimum,
  modulo,
  multiply,
  quotientOf,
  type Size,
  subtract,
} from '../graph/sizes.js';
import type { Inference } from '../schema/definition.js';
import { givenInputs } from './expression.js';

type Rule = (a: Size, b: Size) => Size | undefined;

/** Integer division rounds toward 0, which equals rounding down for non-negative operands. */
function truncatedQuotient(a: Size, b: Size): Size | undefined {
  if (isSame(b, 0)) return undefined;
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b);
  return quotientOf(a, b) ?? (isAtMost(0, a) && isAtMost(1, b) ? floorDivide(a, b) : undefined);
}

/** Both kinds of remainder are the same for non-negative operands. */
const remainder: Rule = (a, b) => (isAtMost(0, a) && isAtMost(1, b) ? modulo(a, b) : undefined);

const RULES: Partial<Record<OpcodeName, Rule>> = {
  Copy: (a) => a,
  Add: add,
  Sub: subtract,
  Mul: multiply,
  Div: truncatedQuotient,
  Mod: remainder,
  Fmod: remainder,
  Min: minimum,
  Max: maximum,
};

/** Whether a number in a register is exact as a size. */
const isExact = (size: Size, register: Register): boolean =>
  typeof size !== 'number' || (register === 'I32' ? size === (size | 0) : Number.isSafeInteger(size));

function evaluated(operands: readonly Size[], { register, instructions }: Expression): Size | undefined {
  const values = [...operands];
  for (const { op, args } of instructions) {
    const [a, b] = args.map((i) => values[i]) as [Size, Size];
    const result = RULES[op]?.(a, b);
    if (result === undefined) return undefined;
    values.push(result);
  }
  return values.every((value) => isExact(value, register)) ? values.at(-1) : undefined;
}

/** Folds arithmetic on shapes, with symbolic dimensions, as exporters write it; a list of one size applies to all. */
export function sizesOfExpression(
  c: Inference<unknown>,
  expression: Expression | undefined,
): readonly Size[] | undefined {
  if (expression?.register !== 'I64' && expression?.register !== 'I32') return undefined;
  const lists = givenInputs(c).map((i) => c.sizes(i));
  const count = Math.max(...lists.map((sizes) => sizes?.length ?? 0));
  if (!lists.every((sizes) => sizes?.length === 1 || sizes?.length === count)) return undefined;
  const results = Array.from({ length: count }, (_, i) =>
    evaluated([...lists.map((sizes) => (sizes?.[i] ?? sizes?.[0]) as Size), ...expression.constants], expression),
  );
  return results.every((size) => size !== undefined) ? results : undefined;
}
