import type { Node } from '../graph/graph.js';
import { operatorName } from '../graph/walk.js';
import { findOperator } from '../schema/registry.js';

/**
 * Operators that are taken in files of earlier versions, as onnxruntime does, and the version that ONNX has them from; before 21,
 * GroupNormalization is deprecated, and scales groups.
 */
const STANDARD_SINCE: Readonly<Record<string, number>> = { LayerNormalization: 17, GroupNormalization: 21 };

/**
 * Says why a file with these opsets cannot hold nodes, undefined where it can: operators of Sardonyx's own, and those that
 * the version of the file does not have, or has with another meaning.
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
