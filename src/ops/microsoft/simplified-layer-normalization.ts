import { simplifiedLayerNormalization as withoutDomain } from '../onnx/nn/rms-normalization.js';

/** RMS normalization in the domain that some exporters use; onnxruntime has it only in ONNX's domain. */
export const simplifiedLayerNormalization = { ...withoutDomain, domain: 'com.microsoft' };
