import type { OpcodeName } from '../../../graph/expression.js';
import { isSame } from '../../../graph/guards.js';
import type { Size } from '../../../graph/sizes.js';
import * as sizes from '../../../graph/sizes.js';
import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import type { Inference } from '../../../schema/definition.js';
import { NUMBERS } from '../../../schema/element-sets.js';

/** Integer division rounds toward 0, which equals rounding down for non-negative operands. */
function truncatedQuotient(a: Size, b: Size): Size | undefined {
  if (isSame(b, 0)) return undefined;
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b);
  const isPositive = sizes.lowerBound(a) >= 0 && sizes.lowerBound(b) >= 1;
  return sizes.quotientOf(a, b) ?? (isPositive ? sizes.floorDivide(a, b) : undefined);
}

/** Folds arithmetic on shapes, with symbolic dimensions, as exporters write it. */
const SIZES: Partial<Record<OpcodeName, (a: Size, b: Size) => Size | undefined>> = {
  Add: sizes.add,
  Sub: sizes.subtract,
  Mul: sizes.multiply,
  Div: truncatedQuotient,
};

function sizesOf(c: Inference<unknown>, op: OpcodeName): readonly Size[] | undefined {
  const [a, b] = [c.sizes(0), c.sizes(1)];
  const rule = SIZES[op];
  if (!a || !b || !rule || (a.length !== b.length && a.length !== 1 && b.length !== 1)) return undefined;
  if (c.dims(0)?.length !== c.dims(1)?.length && a.length + b.length !== 2) return undefined;
  const count = Math.max(a.length, b.length);
  const results = Array.from({ length: count }, (_, i) => rule((a[i] ?? a[0]) as Size, (b[i] ?? b[0]) as Size));
  return results.every((d) => d !== undefined) ? results : undefined;
}

const arithmetic = (op: 'Add' | 'Sub' | 'Mul' | 'Div') =>
  defineElementwise({
    name: op,
    since: 7,
    signature: 'A: T, B: T -> C: T',
    types: { T: NUMBERS },
    expression(c) {
      const register = registerFor(c);
      return register && operation(register, op, 2);
    },
    sizes: (c) => sizesOf(c, op),
  });

/** https://onnx.ai/onnx/operators/onnx__Add.html and its three siblings. */
export const add = arithmetic('Add');
export const sub = arithmetic('Sub');
export const mul = arithmetic('Mul');
export const div = arithmetic('Div');
