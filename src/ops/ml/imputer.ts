import type { Value } from '../../graph/graph.js';
import { float, floats, int, ints } from '../../schema/attributes.js';
import { checkPerFeature, NUMERIC } from '../../schema/batch.js';
import { defineOp } from '../../schema/definition.js';
import { sameAsInput } from '../../schema/shapes.js';
import { tensorOf } from '../../tensor/numbers.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxml_Imputer.html */
export const imputer = defineOp({
  domain: 'ai.onnx.ml',
  name: 'Imputer',
  signature: 'X: T -> Y: T',
  types: { T: NUMERIC },
  attributes: {
    imputed_value_floats: floats(),
    imputed_value_int64s: ints(),
    replaced_value_float: float(0),
    replaced_value_int64: int(0),
  },
  infer: sameAsInput,
  decompose(c) {
    const element = c.element(0);
    const isFloat = element.startsWith('float');
    const a = c.attributes;
    const [values, replaced] = isFloat
      ? [a.imputed_value_floats, a.replaced_value_float]
      : [a.imputed_value_int64s, a.replaced_value_int64];
    if (!values?.length)
      return c.fail('INVALID_ATTRIBUTE', `needs ${isFloat ? 'imputed_value_floats' : 'imputed_value_int64s'}`);
    checkPerFeature(c, 'imputed_value', values);
    const x = c.input(0);
    const other = Number.isNaN(replaced) ? x : c.constant(tensorOf(element, [], [replaced]));
    const [equal] = c.emit('Equal', [x, other]) as [Value];
    const imputed = c.constant(tensorOf(element, [values.length], values));
    return c.emit('Where', Number.isNaN(replaced) ? [equal, x, imputed] : [equal, imputed, x]);
  },
});
