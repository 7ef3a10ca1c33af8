import { simplifiedLayerNormalization as withoutDomain } from '../onnx/nn/rms-normalization.js';

/** RMS normalization, as some exporters place it; onnxruntime has it in ONNX's domain alone. */
export const simplifiedLayerNormalization = { ...withoutDomain, domain: 'com.microsoft' };
