import { graph } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { commonType } from './common-type.js';

/**
 * https://onnx.ai/onnx/operators/onnx__If.html. The planner puts the branch that is taken in its place once the condition is
 * known.
 */
export const conditional = defineOp({
  name: 'If',
  signature: 'cond: B -> outputs...: V',
  types: { B: ['bool'] },
  attributes: { then_branch: graph.required, else_branch: graph.required },
  planned: [0],
  deterministic: false,
  infer(c) {
    const [taken, other] = [c.attributes.then_branch, c.attributes.else_branch].map((branch) =>
      c.graphTypes(branch, []),
    );
    return (taken ?? []).map((type, i) => {
      const otherwise = other?.[i];
      return type && otherwise ? commonType(type, otherwise, () => c.unknown()) : (type ?? otherwise ?? null);
    });
  },
});
