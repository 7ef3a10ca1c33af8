import { graphTypes } from '../../../analysis/subgraph-types.js';
import { tensorType, type ValueType } from '../../../graph/types.js';
import { graph } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import type { HostValue } from '../../../tensor/tensor-value.js';
import { collect, uncount } from '../controlflow/stack.js';
import { ofNumbers } from '../controlflow/type-of-either.js';
import { elements, sequenceOf } from './elements.js';

const UNKNOWN = tensorType('float32');

/** The type of each element, whose symbolic sizes may differ. */
const ofEach = (c: Inference<unknown>, type: ValueType): ValueType =>
  type.kind === 'tensor' ? tensorType(type.element, type.dims && ofNumbers(type.dims, () => c.unknown())) : type;

/** https://onnx.ai/onnx/operators/onnx__SequenceMap.html: runs the body once per element; tensor inputs are passed to each run. */
export const sequenceMap = defineOp({
  name: 'SequenceMap',
  since: 17,
  signature: 'input_sequence: seq(S), additional_inputs*: V -> out_sequence...: seq(S)',
  types: { S: ANY, V: ANY },
  attributes: { body: graph.required },
  deterministic: false,
  infer(c) {
    const inputs = Array.from({ length: c.inputCount }, (_, i) => {
      const type = c.type(i);
      return type.kind === 'sequence' ? ofEach(c, type.of) : type;
    });
    return graphTypes(c, c.attributes.body, inputs).map((type) => sequenceOf(ofEach(c, type ?? UNKNOWN)));
  },
  *iterate(c) {
    const { body } = c.attributes;
    const { length } = elements(c, 0);
    const inputs = Array.from({ length: c.inputCount }, (_, i) => c.value(i));
    for (const [i, input] of inputs.entries()) {
      if (Array.isArray(input) && input.length !== length)
        c.fail('INVALID_VALUE', `sequence ${i} has ${input.length} elements, the first ${length}`);
    }
    const results: HostValue[][] = body.outputs.map(() => []);
    for (let at = 0; at < length; at++) {
      const own = inputs.map((input) => (Array.isArray(input) ? (input[at] as HostValue) : input));
      const mapped = yield { graph: body, inputs: own };
      for (const [k, result] of mapped.entries()) collect(results[k] as HostValue[], result);
    }
    results.forEach(uncount);
    return results;
  },
});
