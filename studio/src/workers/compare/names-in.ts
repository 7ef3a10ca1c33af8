import type { ModelProto, NodeProto } from 'sardonyx/model';
import { stepsOf } from '../documents/graph-steps.js';

/** The operators and names of nodes by ID, including those in subgraphs and functions. */
export function namesIn({ graph, functions }: ModelProto): Map<string, { operator: string; name: string }> {
  const names = new Map<string, { operator: string; name: string }>();
  if (graph) lay(graph.node, '', names);
  for (const { domain, name, node } of functions) lay(node, `function/${domain}:${name}/`, names);
  return names;
}

function lay(nodes: readonly NodeProto[], path: string, names: Map<string, { operator: string; name: string }>): void {
  for (const [i, { domain, opType, name, output, attribute }] of nodes.entries()) {
    const operator = domain && domain !== 'ai.onnx' ? `${domain}.${opType}` : opType;
    names.set(`${path}${i}`, { operator, name: name || output.find(Boolean) || '' });
    for (const [step, graph] of attribute.flatMap(stepsOf)) lay(graph.node, `${path}${i}/${step}/`, names);
  }
}
