import type { Attribute, Value } from '../../../graph/graph.js';
import { isSame } from '../../../graph/guards.js';
import { isKnown, product, type Size } from '../../../graph/sizes.js';
import { isRow, type RowNormParameters } from '../../../primitives/normalize-rows.js';
import { float, int } from '../../../schema/attributes.js';
import type { Decomposition, Inference } from '../../../schema/definition.js';
import { axisOf, requireSpreading } from '../../../schema/shapes.js';
import { type ElementType, elementTypeOf } from '../../../tensor/element-types.js';

export interface StashAttributes extends RowNormParameters {
  readonly stash_type: number;
}

export const rowNormAttributes = { axis: int(-1), epsilon: float(1e-5), stash_type: int(1) };

/** Element type of the statistics. */
export const stashElement = (c: Inference<StashAttributes>): ElementType =>
  elementTypeOf(c.attributes.stash_type) ?? 'float32';

/** Checks that scale and bias broadcast to x. */
export function checkAffine(c: Inference<RowNormParameters>): void {
  const dims = c.dims(0);
  const row = dims && product(dims.slice(axisOf(c, c.attributes.axis, dims.length)));
  for (const i of [1, 2])
    if (!(row !== undefined && c.given(i) && c.dims(i)?.length === 1 && isSame(c.dims(i)?.[0] as Size, row)))
      requireSpreading(c, i, dims);
}

/** Applies scale and bias by separate operators if one of them is not a single row; otherwise returns undefined. */
export function applySeparately(c: Decomposition<RowNormParameters>, operator: string): Value[] | undefined {
  const dims = c.dims(0);
  if (!dims) return undefined;
  const row = dims.slice(axisOf(c, c.attributes.axis, dims.length));
  const fits = [1, 2].every((i) => {
    const own = c.given(i) ? c.dims(i) : undefined;
    return !isKnown(own) || !isKnown(row) || isRow(own, row);
  });
  if (fits) return undefined;
  const { stash_type, ...rest } = c.node.attributes as Record<string, Attribute>;
  const [normal, ...statistics] = c.emit(operator, [c.input(0)], rest, c.outputCount) as [Value];
  const [scaled] = c.emit('Mul', [normal, c.input(1)]) as [Value];
  return [c.given(2) ? (c.emit('Add', [scaled, c.input(2)])[0] as Value) : scaled, ...statistics];
}
