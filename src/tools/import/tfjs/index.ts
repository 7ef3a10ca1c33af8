import type { Model } from '../../../model/document/model.js';
import type { FromTensorFlowJSOptions, TensorFlowJSSource } from './read-artifacts.js';

export type { TensorFlowJSArtifacts, WeightSpec } from './artifacts.js';
export type { FromTensorFlowJSOptions, TensorFlowJSSource } from './read-artifacts.js';

/**
 * A graph model or layers model of TensorFlow.js in ONNX's operators, opset 18. Inputs and outputs have their names and sizes, and
 * images stay [batch, height, width, channels] there; inside they are as ONNX has them. Weights that were quantised become floats.
 * @throws TranslationError with all nodes or layers that have no equal
 */
export async function fromTensorFlowJS(
  source: TensorFlowJSSource,
  options: FromTensorFlowJSOptions = {},
): Promise<Model> {
  const { translated } = await import('./translated.js');
  return translated(source, options);
}
