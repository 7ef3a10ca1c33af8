import type { Model } from '../../../model/document/model.js';
import type { TensorFlowJSModel } from './model.js';

export type { TensorFlowJSModel } from './model.js';

/**
 * The model as a graph model of TensorFlow.js, which `tf.loadGraphModel(tf.io.fromMemory(model))` loads. Names of inputs and outputs,
 * and the order of their axes, stay; integers have 32 bits there, and floats too.
 * @throws TranslationError with all nodes that have no equal, ConversionError where opset 18 is out of reach
 */
export async function toTensorFlowJS(model: Model): Promise<TensorFlowJSModel> {
  const { translated } = await import('./translated.js');
  return translated(model);
}
