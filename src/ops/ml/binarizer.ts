import type { Attribute, Value } from '../../graph/graph.js';
import { float } from '../../schema/attributes.js';
import { NUMERIC } from '../../schema/batch.js';
import { defineOp } from '../../schema/definition.js';
import { sameAsInput } from '../../schema/shapes.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import { tensorOf } from '../../tensor/numbers.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxml_Binarizer.html: 1 above the threshold, else 0. */
export const binarizer = defineOp({
  domain: 'ai.onnx.ml',
  name: 'Binarizer',
  signature: 'X: T -> Y: T',
  types: { T: NUMERIC },
  attributes: { threshold: float(0) },
  infer: sameAsInput,
  decompose(c) {
    const element = c.element(0);
    const { threshold } = c.attributes;
    const bound = element.startsWith('float') ? threshold : Math.floor(threshold);
    const [above] = c.emit('Greater', [c.input(0), c.constant(tensorOf(element, [], [bound]))]) as [Value];
    const to: Attribute = { type: 'int', value: ELEMENTS[element].onnx };
    return c.emit('Cast', [above], { to });
  },
});
