import { float, int } from '../schema/attributes.js';
import { by, defineOp, type Primitive } from '../schema/definition.js';
import { like } from '../schema/shapes.js';
import { tensorOf } from '../tensor/numbers.js';
import { normalizeRows, type RowNormParameters, requireRows, rowNormOf, statistics } from './normalize-rows.js';

/** Normalizes rows to mean 0 and variance 1, times scale plus bias. Also returns means and inverse standard deviations. */
export const layerNorm: Primitive<RowNormParameters> = {
  name: 'layer-norm',
  facts: { inPlace: true },
  reference(c, parameters) {
    const { y, means, inverses } = normalizeRows(c, parameters, true);
    return [y, means, inverses].map((numbers, i) => tensorOf(c.result(i).element, c.result(i).dims, numbers));
  },
};

/** Layer normalization with optional scale and bias. */
export const plainLayerNormalization = defineOp({
  domain: 'sardonyx',
  name: 'LayerNormalization',
  signature: 'X: T, scale?: T, bias?: T -> Y: T, mean?: T, inverseStd?: T',
  types: { T: ['float32', 'float64'] },
  attributes: { axis: int(-1), epsilon: float(1e-5) },
  guarded: true,
  infer(c) {
    requireRows(c);
    return [like(c, 0, c.dims(0)), statistics(c, c.element(0)), statistics(c, c.element(0))];
  },
  computes: by(layerNorm, rowNormOf),
});
