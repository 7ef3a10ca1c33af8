import { float, int } from '../attributes.js';
import { defineOp } from '../definition.js';
import { like } from '../shapes.js';

/** Normalizes X + residual + inputBias (of one row); output 1 is that sum. */
const skip = (name: string) =>
  defineOp({
    domain: 'sardonyx',
    name,
    signature: 'X: T, residual: T, scale?: T, bias?: T, inputBias?: T -> Y: T, sum?: T',
    types: { T: ['float32'] },
    attributes: { axis: int(-1), epsilon: float(1e-5) },
    infer: (c) => [like(c, 0, c.dims(0)), like(c, 0, c.dims(0))],
  });

export const skipLayerNormalization = skip('SkipLayerNormalization');
export const skipRmsNormalization = skip('SkipRMSNormalization');
