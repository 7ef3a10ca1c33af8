import type { Place } from '../../../../bindings/place.js';
import { Reduction } from '../../../../build/kernels.js';
import { isSame } from '../../../graph/guards.js';
import { ceilDivide, multiply, product, type Size } from '../../../graph/sizes.js';
import { type ReduceParameters, reduce } from '../../../primitives/reduce.js';
import type { Kind } from '../../../primitives/reduce-on-host.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { type Lowering, lowers } from '../lowering.js';
import { columnGrainOf } from './grain.js';

/** Kinds of the passes after the first, where they differ. */
const LATER: Partial<Record<Kind, Kind>> = { SumSquare: 'Sum', L1: 'Sum' };
/** Kinds of the passes before the last, which alone takes the logarithm. */
const EARLIER: Partial<Record<Kind, Kind>> = { LogSum: 'Sum' };

const KERNELS: Partial<Record<ElementType, 'reduce' | 'reduceI32' | 'reduceI64'>> = {
  float32: 'reduce',
  int32: 'reduceI32',
  int64: 'reduceI64',
};
const INTEGER_KINDS: readonly Kind[] = ['Sum', 'Max', 'Min', 'Prod', 'SumSquare', 'L1'];

interface Pass {
  readonly outer: Size;
  readonly length: Size;
  readonly inner: Size;
}

/** One pass per run of adjacent reduce axes, the innermost first; axes of size 1 are skipped. */
function passesOf(dims: readonly Size[], folded: readonly boolean[]): Pass[] {
  const runs: { size: Size; folded: boolean }[] = [];
  dims.forEach((size, axis) => {
    const own = folded[axis] as boolean;
    const last = runs.at(-1);
    if (isSame(size, 1)) return;
    if (last?.folded === own) last.size = multiply(last.size, size);
    else runs.push({ size, folded: own });
  });
  const passes: Pass[] = [];
  for (let i = runs.length - 1; i >= 0; i--) {
    if (!runs[i]?.folded) continue;
    const sizes = runs.map((run, j) => (run.folded && j > i ? 1 : run.size));
    passes.push({
      outer: product(sizes.slice(0, i)),
      length: sizes[i] as Size,
      inner: product(sizes.slice(i + 1)),
    });
  }
  return passes.length > 0 ? passes : [{ outer: product(dims), length: 1, inner: 1 }];
}

function lowerReduce(c: Lowering, { kind, folded }: ReduceParameters): 'host' | undefined {
  const element = c.element(0);
  const kernel = KERNELS[element];
  const dims = c.shape(0);
  const isInteger = element !== 'float32';
  if (!kernel || (isInteger && (!INTEGER_KINDS.includes(kind) || isSame(product(dims), 0)))) return 'host';
  const passes = passesOf(dims, folded);
  const bytes = isInteger && element === 'int64' ? 8 : 4;
  let x: Place = c.input(0);
  for (const [i, { outer, length, inner }] of passes.entries()) {
    const isLast = i === passes.length - 1;
    const own = (i === 0 ? undefined : LATER[kind]) ?? (isLast ? undefined : EARLIER[kind]) ?? kind;
    const columns = multiply(outer, inner);
    const y = isLast ? c.output(0) : c.temporary(multiply(columns, bytes));
    const grain = columnGrainOf(columns, length, inner);
    const params = { x, y, outer, length, inner, kind: Reduction[own], grain };
    c.launch(kernel, params, ceilDivide(columns, grain), { writes: [y] });
    x = y;
  }
}

export const reductions = lowers(reduce, lowerReduce);
