import type { Attribute, Value } from '../../graph/graph.js';
import { tensorType } from '../../graph/types.js';
import { entryOf, string } from '../../schema/attributes.js';
import { NUMERIC } from '../../schema/batch.js';
import { defineOp } from '../../schema/definition.js';
import { tensorOf } from '../../tensor/numbers.js';
import { indices, TO_FLOAT32 } from './constants.js';

/** As in onnxruntime, the maximum is that of signed numbers; the other norms use magnitudes. */
const REDUCTIONS: Record<string, string> = { MAX: 'ReduceMax', L1: 'ReduceL1', L2: 'ReduceL2' };

const keep: Record<string, Attribute> = { keepdims: { type: 'int', value: 1 } };

/** https://onnx.ai/onnx/operators/onnx_aionnxml_Normalizer.html */
export const normalizer = defineOp({
  domain: 'ai.onnx.ml',
  name: 'Normalizer',
  signature: 'X: T -> Y: float32',
  types: { T: NUMERIC },
  attributes: { norm: string('MAX') },
  infer: (c) => [tensorType('float32', c.dims(0))],
  decompose(c) {
    const { norm } = c.attributes;
    const reduction =
      entryOf(REDUCTIONS, norm) ?? c.fail('INVALID_ATTRIBUTE', `norm "${norm}" is not one of MAX, L1, L2`);
    const type = c.element(0) === 'float64' ? 'float64' : 'float32';
    const isFloat = type === 'float64' || c.element(0) === 'float32';
    const x = isFloat ? c.input(0) : (c.emit('Cast', [c.input(0)], TO_FLOAT32)[0] as Value);
    const scalar = (value: number) => c.constant(tensorOf(type, [], [value]));
    const [length] = c.emit(reduction, [x, c.constant(indices(-1))], keep) as [Value];
    const [isZero] = c.emit('Equal', [length, scalar(0)]) as [Value];
    const [divisor] = c.emit('Where', [isZero, scalar(1), length]) as [Value];
    const y = c.emit('Div', [x, divisor]);
    return type === 'float64' ? c.emit('Cast', y, TO_FLOAT32) : y;
  },
});
