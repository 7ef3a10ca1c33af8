import type { Model } from '../../../model/document/model.js';
import type { FromTensorFlowJSOptions, TensorFlowJSSource } from './read-artifacts.js';

export type { TensorFlowJSArtifacts, WeightSpec } from './artifacts.js';
export type { FromTensorFlowJSOptions, TensorFlowJSSource } from './read-artifacts.js';

/**
 * Converts a TensorFlow.js graph model or layers model to ONNX, opset 18. Inputs and outputs keep their names, sizes
 * and axis order, such as [batch, height, width, channels]. Quantized weights become floats.
 * @throws TranslationError with all unsupported nodes or layers; SardonyxError INVALID_MODEL if the files are invalid,
 * INVALID_ARGUMENT if the source is
 */
export async function fromTensorFlowJS(
  source: TensorFlowJSSource,
  options: FromTensorFlowJSOptions = {},
): Promise<Model> {
  const { translated } = await import('./translated.js');
  return translated(source, options);
}
