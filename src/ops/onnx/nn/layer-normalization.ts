import { layerNorm } from '../../../primitives/layer-norm.js';
import { rowNormOf, statistics } from '../../../primitives/normalize-rows.js';
import { by, defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { like } from '../../../schema/shapes.js';
import { throughFloat32 } from '../../through-float32.js';
import { applySeparately, checkAffine, rowNormAttributes, stashElement } from './row-normalization.js';

/** https://onnx.ai/onnx/operators/onnx__LayerNormalization.html */
export const layerNormalization = defineOp({
  name: 'LayerNormalization',
  since: 1,
  signature: 'X: T, Scale: T, B?: T -> Y: T, Mean?: U, InvStdDev?: U',
  types: { T: FLOATS },
  attributes: rowNormAttributes,
  guarded: true,
  infer(c) {
    checkAffine(c);
    return [like(c, 0, c.dims(0)), statistics(c, stashElement(c)), statistics(c, stashElement(c))];
  },
  decompose: (c) =>
    throughFloat32(c, [c.element(0), stashElement(c), stashElement(c)]) ??
    (c.element(0) === 'float32' ? applySeparately(c, 'sardonyx:LayerNormalization') : undefined),
  computes: by(layerNorm, rowNormOf),
});
