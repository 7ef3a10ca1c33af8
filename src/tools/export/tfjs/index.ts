import type { Model } from '../../../model/document/model.js';
import type { TensorFlowJSModel } from './model.js';

export type { TensorFlowJSModel } from './model.js';

/**
 * Converts a model to a TensorFlow.js graph model, which `tf.loadGraphModel(tf.io.fromMemory(model))` loads. Inputs and
 * outputs keep their names and axis order. Integers and floats have 32 bits.
 * @throws TranslationError with all unsupported nodes; ConversionError if the model cannot be converted to opset 18
 */
export async function toTensorFlowJS(model: Model): Promise<TensorFlowJSModel> {
  const { translated } = await import('./translated.js');
  return translated(model);
}
