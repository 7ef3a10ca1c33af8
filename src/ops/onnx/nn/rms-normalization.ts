import { rowNormOf, statistics } from '../../../primitives/normalize-rows.js';
import { rmsNorm } from '../../../primitives/rms-norm.js';
import { by, defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { like } from '../../../schema/shapes.js';
import { throughFloat32 } from '../../through-float32.js';
import { applySeparately, checkAffine, rowNormAttributes, stashElement } from './row-normalization.js';

/** https://onnx.ai/onnx/operators/onnx__RMSNormalization.html */
export const rmsNormalization = defineOp({
  name: 'RMSNormalization',
  since: 23,
  signature: 'X: T, scale: V -> Y: V',
  types: { T: FLOATS, V: FLOATS },
  attributes: rowNormAttributes,
  infer(c) {
    checkAffine(c);
    return [like(c, 1, c.dims(0))];
  },
  decompose: (c) =>
    throughFloat32(c, [c.element(1)]) ??
    (c.element(0) === 'float32' ? applySeparately(c, 'sardonyx:RMSNormalization') : undefined),
  computes: by(rmsNorm, rowNormOf),
});

/** RMS normalization, under the name that exporters used in ONNX's domain before opset 23. */
export const simplifiedLayerNormalization = defineOp({
  name: 'SimplifiedLayerNormalization',
  signature: 'X: T, scale: V -> Y: V, inv_std_var?: U',
  types: { T: FLOATS, V: FLOATS },
  attributes: rowNormAttributes,
  infer(c) {
    checkAffine(c);
    return [like(c, 1, c.dims(0)), statistics(c, stashElement(c))];
  },
  decompose: (c) =>
    throughFloat32(c, [c.element(1), stashElement(c)]) ??
    (c.element(0) === 'float32' ? applySeparately(c, 'sardonyx:RMSNormalization') : undefined),
  computes: by(rmsNorm, rowNormOf),
});
