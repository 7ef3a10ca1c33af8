import type { ModelProto, NodeProto } from 'sardonyx/model';

/** What nodes are called, by their places: those of subgraphs and functions too. */
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
    for (const { name: inner, g, graphs } of attribute) {
      if (g) lay(g.node, `${path}${i}/${inner}/`, names);
      for (const [k, graph] of graphs.entries()) lay(graph.node, `${path}${i}/${inner}[${k}]/`, names);
    }
  }
}
