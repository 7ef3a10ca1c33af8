import { ELEMENTS } from '../../tensor/element-types.js';
import { tensorOf } from '../../tensor/numbers.js';
import { float } from '../attributes.js';
import { defineOp } from '../definition.js';
import { sameAsInput } from '../shapes.js';
import { FEATURES } from './rows.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxml_Binarizer.html */
export const binarizer = defineOp({
  domain: 'ai.onnx.ml',
  name: 'Binarizer',
  signature: 'X: T -> Y: T',
  types: { T: FEATURES },
  attributes: { threshold: float(0) },
  infer: sameAsInput,
  decompose(c) {
    const type = c.element(0);
    const threshold = c.constant(tensorOf(type, [], [Math.floor(c.attributes.threshold)]));
    const exact = c.constant(tensorOf(type, [], [c.attributes.threshold]));
    const isGreater = c.emit('Greater', [c.input(0), type.startsWith('int') ? threshold : exact]);
    return c.emit('Cast', isGreater, { to: { type: 'int', value: ELEMENTS[type].onnx } });
  },
});
