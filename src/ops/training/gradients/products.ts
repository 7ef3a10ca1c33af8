import { floatAttribute, intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import { permutation } from '../../channels-last.js';
import { emitOne, listOf } from '../../emit.js';
import { arithmetic, type Backward, type BackwardRules, rankOf, reducedTo, upstreamOf } from './backward.js';

interface ProductAttributes {
  readonly transA: number;
  readonly transB: number;
  readonly alpha: number;
  readonly activation: string;
}

/** Swaps the last two axes. */
function turned(c: Backward, value: Value, rank: number): Value {
  const axes = Array.from({ length: rank }, (_, i) => i);
  return emitOne(c, 'Transpose', [value], permutation([...axes.slice(0, -2), rank - 1, rank - 2]));
}

/** alpha · op(A)·op(B) + bias + residual. A vector on the left is treated as a matrix of one row, on the right as one of one column. */
function matMul(c: Backward): (Value | null)[] {
  const { transA, transB, alpha = 1, activation = 'None' } = c.attributes as Partial<ProductAttributes>;
  if (activation !== 'None') return [];
  const [m, n] = [rankOf(c, 0), rankOf(c, 1)];
  const unsqueezed = (value: Value, axis: number) => emitOne(c, 'Unsqueeze', [value, listOf(c, [axis])]);
  const a = m === 1 ? unsqueezed(c.input(0), 0) : c.input(0);
  const b = n === 1 ? unsqueezed(c.input(1), 1) : c.input(1);
  const column = n === 1 ? unsqueezed(upstreamOf(c), -1) : upstreamOf(c);
  const g = m === 1 ? unsqueezed(column, -2) : column;
  const [rankA, rankB, rankY] = [Math.max(m, 2), Math.max(n, 2), Math.max(m, n, 2)];
  const multiply = (x: Value, y: Value) => {
    const product = emitOne(c, 'MatMul', [x, y]);
    return alpha === 1 ? product : arithmetic(c)('Mul', product, alpha);
  };
  const back = (value: Value, like: Value, i: number, rank: number) => {
    const summed = emitOne(c, 'sardonyx:ReduceTo', [value, like]);
    return rank === 1 ? emitOne(c, 'Reshape', [summed, emitOne(c, 'Shape', [c.input(i)])]) : summed;
  };
  const byA = multiply(g, transB ? b : turned(c, b, rankB));
  const byB = multiply(transA ? a : turned(c, a, rankA), g);
  return [
    back(transA ? turned(c, byA, rankY) : byA, a, 0, m),
    back(transB ? turned(c, byB, rankY) : byB, b, 1, n),
    c.given(2) ? reducedTo(c, upstreamOf(c), 2) : null,
    c.given(3) ? upstreamOf(c) : null,
  ];
}

/** alpha · op(A)·op(B) + beta · C */
function gemm(c: Backward): (Value | null)[] {
  const { alpha, beta, transA, transB } = c.attributes as Record<'alpha' | 'beta' | 'transA' | 'transB', number>;
  const g = upstreamOf(c);
  const [a, b] = [c.input(0), c.input(1)];
  const product = (x: Value, y: Value, turnX: boolean, turnY: boolean) =>
    emitOne(c, 'Gemm', [x, y], {
      alpha: floatAttribute(alpha),
      transA: intAttribute(Number(turnX)),
      transB: intAttribute(Number(turnY)),
    });
  const byA = transA ? product(b, g, transB !== 0, true) : product(g, b, false, !transB);
  const byB = transB ? product(g, a, true, transA !== 0) : product(a, g, !transA, false);
  return [byA, byB, c.given(2) ? reducedTo(c, arithmetic(c)('Mul', g, beta), 2) : null];
}

export const products: BackwardRules = { Gemm: gemm, MatMul: matMul, 'sardonyx:MatMul': matMul };
