import type { Node } from '../graph/graph.js';
import { operatorName } from '../graph/walk.js';
import { findOperator } from '../schema/registry.js';

/**
 * Operators that earlier opsets may contain too, as in onnxruntime, and the version in which ONNX introduced them. Before 21,
 * GroupNormalization is deprecated, and scales groups.
 */
const STANDARD_SINCE: Readonly<Record<string, number>> = { LayerNormalization: 17, GroupNormalization: 21 };

/**
 * Returns why a file with these opsets cannot hold nodes, or undefined if it can. Operators of domain `sardonyx` are refused, as are those
 * that the file's version lacks or defines differently.
 */
export const foreignTo =
  (opsets: ReadonlyMap<string, number>) =>
  (nodes: Iterable<Node>): string | undefined => {
    for (const node of nodes) {
      const version = opsets.get(node.domain);
      const name = operatorName(node);
      if (node.domain === 'sardonyx' || version === undefined)
        return `${name} is of a domain that the model does not import`;
      if (node.opset === version) continue;
      const since = node.domain === '' ? (STANDARD_SINCE[node.op] ?? 1) : 1;
      const meant = findOperator(node.domain, node.op, node.opset ?? Number.POSITIVE_INFINITY);
      if (version < since || meant !== findOperator(node.domain, node.op, version))
        return `${name} of opset ${node.opset ?? meant?.since} means something else, or nothing, in the model's opset ${version}`;
    }
    return undefined;
  };
