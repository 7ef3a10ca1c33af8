import type { Lowerings } from '../lowering.js';
import { lowerNorm } from './layer-normalization.js';

const POSITIONS = { residual: 1, scale: 2, bias: 3, inputBias: 4, sum: 1 };

export const skipNormalizations: Lowerings = {
  'sardonyx:SkipLayerNormalization': (c) => lowerNorm(c, 'layerNorm', POSITIONS),
  'sardonyx:SkipRMSNormalization': (c) => lowerNorm(c, 'rmsNorm', POSITIONS),
};
