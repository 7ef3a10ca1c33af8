import { float, int } from '../schema/attributes.js';
import { by, defineOp, type Primitive } from '../schema/definition.js';
import { like } from '../schema/shapes.js';
import { tensorOf } from '../tensor/numbers.js';
import { normalizeRows, type RowNormParameters, requireRows, rowNormOf, statistics } from './normalize-rows.js';

/** Normalizes rows to mean square 1, times scale. Optionally returns the inverse roots of their mean squares. */
export const rmsNorm: Primitive<RowNormParameters> = {
  name: 'rms-norm',
  facts: { inPlace: true },
  reference(c, parameters) {
    const { y, inverses } = normalizeRows(c, parameters, false);
    const results = c.wanted(1) ? [y, inverses] : [y];
    return results.map((numbers, i) => tensorOf(c.result(i).element, c.result(i).dims, numbers));
  },
};

/** RMS normalization with optional scale. */
export const plainRmsNormalization = defineOp({
  domain: 'sardonyx',
  name: 'RMSNormalization',
  signature: 'X: T, scale?: T -> Y: T, inverseStd?: T',
  types: { T: ['float32', 'float64'] },
  attributes: { axis: int(-1), epsilon: float(1e-5) },
  guarded: true,
  infer(c) {
    requireRows(c);
    return [like(c, 0, c.dims(0)), statistics(c, c.element(0))];
  },
  computes: by(rmsNorm, rowNormOf),
});
