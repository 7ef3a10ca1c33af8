import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Model } from '../../src/graph/graph.js';
import { allNodes, operatorName } from '../../src/graph/walk.js';
import { readModel } from '../../src/model/read-model.js';
import { findOperator } from '../../src/ops/registry.js';
import { skipped } from '../skipped.js';

const repository = new URL('../..', import.meta.url).pathname;

/** ONNX's backend tests, if they are there. */
export const backendTests = () => shared('onnx-backend-tests');

/**
 * A folder of shared data, if it is there: under SARDONYX_SHARED or beside the repository. Without it the suites say so and
 * skip; where CI is set it must be there.
 */
export function shared(folder: string): string | undefined {
  const roots = [process.env.SARDONYX_SHARED, join(repository, '../shared')].filter((root) => root !== undefined);
  const found = roots.map((root) => join(root, folder)).find(existsSync);
  if (found) return found;
  const complaint = `no ${folder} under ${roots.join(' or ')}`;
  if (process.env.CI) throw new Error(`${complaint}, and CI is set`);
  skipped(`${complaint}; set SARDONYX_SHARED to the folder that holds it`);
  return undefined;
}

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
