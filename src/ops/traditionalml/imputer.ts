import { isFloat } from '../../tensor/element-types.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { float, floats, int, ints } from '../attributes.js';
import { defineOp } from '../definition.js';
import { sameAsInput } from '../shapes.js';
import { FEATURES } from './rows.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxml_Imputer.html */
export const imputer = defineOp({
  domain: 'ai.onnx.ml',
  name: 'Imputer',
  signature: 'X: T -> Y: T',
  types: { T: FEATURES },
  attributes: {
    imputed_value_floats: floats(),
    imputed_value_int64s: ints(),
    replaced_value_float: float(0),
    replaced_value_int64: int(0),
  },
  infer: sameAsInput,
  evaluate(c) {
    const x = c.tensor(0);
    const a = c.attributes;
    const [imputed = [], replaced] = isFloat(x.type)
      ? [a.imputed_value_floats, a.replaced_value_float]
      : [a.imputed_value_int64s, a.replaced_value_int64];
    const columns = x.dims.at(-1) ?? 1;
    if (imputed.length !== 1 && imputed.length !== columns)
      c.fail('INVALID_ATTRIBUTE', `${imputed.length} imputed values for ${columns} columns; 1 or ${columns} would do`);
    const values = Array.from(numbersOf(x), (v, i) =>
      v === replaced || (Number.isNaN(v) && Number.isNaN(replaced))
        ? (imputed[imputed.length === 1 ? 0 : i % columns] as number)
        : v,
    );
    return [tensorOf(x.type, x.dims, values)];
  },
});
