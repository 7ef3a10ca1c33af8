import { floatAttribute } from '../../graph/attributes.js';
import { float } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { sameAsInput } from '../../schema/shapes.js';

/** x · sigmoid(alpha · x): https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QuickGelu */
export const quickGelu = defineOp({
  domain: 'com.microsoft',
  name: 'QuickGelu',
  signature: 'X: T -> Y: T',
  types: { T: FLOATS },
  attributes: { alpha: float(1.702) },
  infer: sameAsInput,
  decompose: (c) => c.emit('Swish', [c.input(0)], { alpha: floatAttribute(c.attributes.alpha) }),
});
