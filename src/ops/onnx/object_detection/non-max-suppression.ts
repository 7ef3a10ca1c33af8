import type { Value } from '../../../graph/graph.js';
import { tensorType } from '../../../graph/types.js';
import { checkBoxes, suppressionAttributes, suppressionSignature } from '../../../primitives/non-max-suppression.js';
import { defineOp } from '../../../schema/definition.js';

/** https://onnx.ai/onnx/operators/onnx__NonMaxSuppression.html */
export const nonMaxSuppression = defineOp({
  name: 'NonMaxSuppression',
  since: 10,
  signature: `${suppressionSignature} -> selected_indices: int64`,
  attributes: suppressionAttributes,
  infer(c) {
    checkBoxes(c, c.dims(0), c.dims(1));
    return [tensorType('int64', [c.unknown(), 3])];
  },
  decompose(c) {
    const inputs = c.node.inputs.map((_, i) => (c.given(i) ? c.input(i) : null));
    const selected = c.emit('sardonyx:NonMaxSuppression', inputs, c.node.attributes, 2) as [Value, Value];
    return c.emit('sardonyx:SelectedBoxes', selected);
  },
});

/** The selected boxes of all classes as one list of [image, class, box]. */
export const selectedBoxes = defineOp({
  domain: 'sardonyx',
  name: 'SelectedBoxes',
  signature: 'selected: int32, counts: int32 -> selected_indices: int64',
  infer: (c) => [tensorType('int64', [c.unknown(), 3])],
  evaluate(c) {
    const [batch, classes, capacity] = c.tensor(0).dims as [number, number, number];
    const [selected, counts] = [c.tensor(0).data as Int32Array, c.tensor(1).data as Int32Array];
    const total = counts.reduce((sum, count) => sum + count, 0);
    // Writes low and high halves: a BigInt for each number would take longer than the selection.
    const halves = new Int32Array(6 * total);
    let to = 0;
    for (let tile = 0; tile < batch * classes; tile++) {
      for (let i = 0; i < (counts[tile] as number); i++, to += 6) {
        halves[to] = Math.floor(tile / classes);
        halves[to + 2] = tile % classes;
        halves[to + 4] = selected[tile * capacity + i] as number;
      }
    }
    return [{ type: 'int64', dims: [total, 3], data: new BigInt64Array(halves.buffer) }];
  },
});
