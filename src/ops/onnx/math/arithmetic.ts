import { product } from '../../../graph/dims.js';
import type { OpcodeName } from '../../../graph/expression.js';
import type { Dim } from '../../../graph/types.js';
import { defineElementwise, registerFor } from '../../../primitives/define-elementwise.js';
import { operation } from '../../../primitives/expression.js';
import type { Inference } from '../../../schema/definition.js';
import { NUMBERS } from '../../../schema/element-sets.js';

/** Folds the arithmetic that exporters do on shapes, symbols included. */
const SIZES: Partial<Record<OpcodeName, (a: Dim, b: Dim) => Dim | undefined>> = {
  Add: (a, b) => (typeof a === 'number' && typeof b === 'number' ? a + b : a === 0 ? b : b === 0 ? a : `(${a}+${b})`),
  Sub: (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : b === 0 ? a : undefined),
  Mul: (a, b) => product([a, b]),
  Div: (a, b) =>
    typeof a === 'number' && typeof b === 'number' && b !== 0 ? Math.trunc(a / b) : b === 1 ? a : undefined,
};

function sizesOf(c: Inference<unknown>, op: OpcodeName): readonly Dim[] | undefined {
  const [a, b] = [c.sizes(0), c.sizes(1)];
  const rule = SIZES[op];
  if (!a || !b || !rule || (a.length !== b.length && a.length !== 1 && b.length !== 1)) return undefined;
  if (c.dims(0)?.length !== c.dims(1)?.length && a.length + b.length !== 2) return undefined;
  const count = Math.max(a.length, b.length);
  const sizes = Array.from({ length: count }, (_, i) => rule((a[i] ?? a[0]) as Dim, (b[i] ?? b[0]) as Dim));
  return sizes.every((d) => d !== undefined) ? sizes : undefined;
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
