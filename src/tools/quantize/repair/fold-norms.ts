import type { Model } from '../../../model/document/model.js';
import { removeWithOperands } from '../../surgery/edit/dead.js';
import type { EditedNode } from '../../surgery/edit/graph.js';
import { isOnlyRead, isStandard, type Layer, numberAt, numbersOf, scaleOutput } from './layers.js';

/** Folds the batch normalization after a layer into its weights, and keeps its mean and deviation. */
export async function foldNorm(model: Model, layer: Layer): Promise<void> {
  const [made] = layer.node.outputs;
  const [norm] = made?.readers ?? [];
  if (!made || !norm || !isOnlyRead(made) || !isInference(norm)) return;
  const found = await Promise.all(norm.inputs.slice(1).map((value) => numbersOf(model, value)));
  const [scale, shift, mean, variance] = found;
  if (!scale || !shift || !mean || !variance) return;
  const epsilon = numberAt(norm, 'epsilon', 1e-5);
  for (let c = 0; c < layer.outputs.count; c++) {
    scaleOutput(layer, c, (scale[c] as number) / Math.sqrt((variance[c] as number) + epsilon));
    const scaledMean = ((scale[c] as number) * (mean[c] as number)) / Math.sqrt((variance[c] as number) + epsilon);
    layer.bias[c] = (layer.bias[c] as number) + (shift[c] as number) - scaledMean;
  }
  layer.normal = { mean: shift, deviation: scale.map(Math.abs) };
  layer.node.outputs = norm.outputs.slice(0, 1);
  removeWithOperands(norm);
}

const isInference = (node: EditedNode): boolean =>
  node.op === 'BatchNormalization' &&
  isStandard(node) &&
  numberAt(node, 'training_mode', 0) === 0 &&
  numberAt(node, 'is_test', 1) === 1 &&
  node.outputs.slice(1).every((value) => !value || (value.readers.length === 0 && !value.isOutput));
