import { sameDims } from '../../../graph/dims.js';
import { tensorType, type ValueType } from '../../../graph/types.js';
import { graph } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';

/** What holds of a value that is one of two. */
function common(a: ValueType | null, b: ValueType | null): ValueType | null {
  if (a?.kind !== 'tensor' || b?.kind !== 'tensor') return a ?? b;
  return a.dims && b.dims && sameDims(a.dims, b.dims) ? a : tensorType(a.element);
}

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
    return (taken ?? []).map((type, i) => common(type, other?.[i] ?? null));
  },
});
