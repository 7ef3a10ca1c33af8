import { graphTypes } from '../../../analysis/subgraph-types.js';
import { sameDims } from '../../../graph/dims.js';
import type { Node, Value } from '../../../graph/graph.js';
import { tensorType, type ValueType } from '../../../graph/types.js';
import { graph } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';

/** What holds of a value that is one of two. */
function common(a: ValueType | null, b: ValueType | null): ValueType | null {
  if (a?.kind !== 'tensor' || b?.kind !== 'tensor') return a ?? b;
  return a.dims && b.dims && sameDims(a.dims, b.dims) ? a : tensorType(a.element);
}

/** What gives a branch's result the name of that of the node. */
const naming = (name: string, result: Value | null, output: Value): Node => ({
  name,
  domain: '',
  op: 'Identity',
  inputs: [result],
  outputs: [output],
  attributes: {},
});

/** https://onnx.ai/onnx/operators/onnx__If.html */
export const conditional = defineOp({
  name: 'If',
  signature: 'cond: B -> outputs...: V',
  types: { B: ['bool'] },
  attributes: { then_branch: graph.required, else_branch: graph.required },
  planned: [0],
  deterministic: false,
  becomes(c) {
    const { nodes, outputs } = c.attributes[c.contents(0)?.data[0] ? 'then_branch' : 'else_branch'];
    const { node } = c;
    return [
      ...nodes,
      ...node.outputs.flatMap((output, i) => (output ? naming(`${node.name}/${i}`, outputs[i] ?? null, output) : [])),
    ];
  },
  infer(c) {
    const [taken, other] = [c.attributes.then_branch, c.attributes.else_branch].map((branch) =>
      graphTypes(c, branch, []),
    );
    return (taken ?? []).map((type, i) => common(type, other?.[i] ?? null));
  },
});
