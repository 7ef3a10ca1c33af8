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
    const { then_branch, else_branch } = c.attributes;
    const [taken = [], other = []] = [then_branch, else_branch].map((branch) => c.graphTypes(branch, []));
    const condition = c.contents(0)?.data[0];
    if (condition !== undefined) return [...(condition ? taken : other)];
    return taken.map((type, i) => {
      const otherwise = other[i];
      return type && otherwise ? commonType(type, otherwise, () => c.unknown()) : (type ?? otherwise ?? null);
    });
  },
});
