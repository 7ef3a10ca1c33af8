import { graphTypes } from '../../../analysis/subgraph-types.js';
import type { Node, Value } from '../../../graph/graph.js';
import { graph } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { typeOfEither } from './type-of-either.js';

/** An Identity node that gives a branch's result the name of the node's output. */
const naming = ({ name, origins }: Node, i: number, result: Value | null, output: Value): Node => ({
  name: `${name}/${i}`,
  domain: '',
  op: 'Identity',
  inputs: [result],
  outputs: [output],
  attributes: {},
  origins,
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
      ...node.outputs.flatMap((output, i) => (output ? naming(node, i, outputs[i] ?? null, output) : [])),
    ];
  },
  infer(c) {
    const { then_branch, else_branch } = c.attributes;
    const [taken = [], other = []] = [then_branch, else_branch].map((branch) => graphTypes(c, branch, []));
    const condition = c.contents(0)?.data[0];
    if (condition !== undefined) return [...(condition ? taken : other)];
    return taken.map((type, i) => {
      const otherwise = other[i];
      return type && otherwise ? typeOfEither(type, otherwise, () => c.unknown()) : (type ?? otherwise ?? null);
    });
  },
});
