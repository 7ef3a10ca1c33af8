import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model } from '../../src/graph/graph.js';
import { allNodes, operatorName } from '../../src/graph/walk.js';
import { readModel } from '../../src/model/read-model.js';
import { findOperator } from '../../src/schema/registry.js';
import { shared } from '../shared-data.js';

/** ONNX's backend tests, if they are there. */
export const backendTests = () => shared('onnx-backend-tests');

export interface Case {
  readonly name: string;
  readonly folder: string;
  readonly bytes: Uint8Array;
  readonly model: Model;
  /** Operators the model uses that no definition covers. */
  readonly unsupported: readonly string[];
}

export function casesOf(root: string, group: string): Case[] {
  return readdirSync(join(root, group))
    .sort()
    .map((name) => {
      const folder = join(root, group, name);
      const bytes = readFileSync(join(folder, 'model.onnx'));
      const model = readModel(bytes);
      return { name, folder, bytes, model, unsupported: unsupportedOperators(model) };
    });
}

export function unsupportedOperators({ graph, functions, opsets }: Model): string[] {
  const local = new Set(functions.map(({ domain, name }) => operatorName({ domain, op: name })));
  const missing = new Set<string>();
  const look = (nodes: Iterable<{ domain: string; op: string }>, versions: ReadonlyMap<string, number>) => {
    for (const node of nodes) {
      const name = operatorName(node);
      const opset = versions.get(node.domain) ?? Number.POSITIVE_INFINITY;
      if (!local.has(name) && !findOperator(node.domain, node.op, opset)) missing.add(name);
    }
  };
  look(allNodes(graph), opsets);
  for (const definition of functions) look(allNodes(definition.graph), definition.opsets);
  return [...missing].sort();
}
