import type { FunctionProto, GraphProto, ModelProto, NodeProto } from '../../build/onnx.js';

type Nodes = Map<string, NodeProto>;

/** All nodes of a file by their paths, as the steps of a profile name them; those of a function once for each call. */
export function nodesOfFile({ graph, functions }: ModelProto): Nodes {
  const found: Nodes = new Map();
  const enter = (path: string, { node: nodes }: Pick<GraphProto, 'node'>) => {
    for (const [i, node] of nodes.entries()) {
      const id = `${path}${i}`;
      found.set(id, node);
      for (const { name, g, graphs } of node.attribute) {
        if (g) enter(`${id}/${name}/`, g);
        for (const [at, inner] of graphs.entries()) enter(`${id}/${name}/${at}/`, inner);
      }
      const called = functions.find((definition) => calls(node, definition));
      if (called) enter(`${id}/`, called);
    }
  };
  enter('', graph as GraphProto);
  return found;
}

const calls = ({ opType, domain, overload }: NodeProto, definition: FunctionProto): boolean =>
  opType === definition.name && domain === definition.domain && overload === definition.overload;
