import type { Value } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import { floats } from '../../schema/attributes.js';
import { checkPerFeature, NUMERIC } from '../../schema/batch.js';
import { type Decomposition, defineOp } from '../../schema/definition.js';
import { floatTensor, TO_FLOAT32 } from './constants.js';

/** https://onnx.ai/onnx/operators/onnx_aionnxml_Scaler.html: (X − offset) · scale. */
export const scaler = defineOp({
  domain: 'ai.onnx.ml',
  name: 'Scaler',
  signature: 'X: T -> Y: float32',
  types: { T: NUMERIC },
  attributes: { offset: floats(), scale: floats() },
  infer: (c) => [tensorType('float32', c.dims(0))],
  decompose(c) {
    const wide = c.element(0) === 'float64';
    const isFloat = wide || c.element(0) === 'float32';
    let y = isFloat ? c.input(0) : (c.emit('Cast', [c.input(0)], TO_FLOAT32)[0] as Value);
    y = apply(c, 'Sub', y, 'offset', c.attributes.offset);
    y = apply(c, 'Mul', y, 'scale', c.attributes.scale);
    return wide || y === c.input(0) ? c.emit('Cast', [y], TO_FLOAT32) : [y];
  },
});

function apply(
  c: Decomposition<unknown>,
  op: string,
  x: Value,
  name: string,
  list: readonly number[] | undefined,
): Value {
  if (!list?.length) return x;
  checkPerFeature(c, name, list);
  const type = c.element(0) === 'float64' ? 'float64' : 'float32';
  return c.emit(op, [x, c.constant(floatTensor(list, [list.length], type))])[0] as Value;
}
