import { hinted } from '../advice/hinted.js';
import type { StrangeAttribute } from '../advice/operators.js';
import { adviseOnce } from '../advice/warn.js';
import { SardonyxError } from '../base/errors.js';
import type { Model, Node } from '../graph/graph.js';
import { allNodes, operatorName } from '../graph/walk.js';
import { findOperator, sinceOf } from '../schema/registry.js';

/** The newest opset of each domain whose operators are known. */
export const NEWEST_OPSETS: Readonly<Record<string, number>> = {
  '': 28,
  'ai.onnx.ml': 5,
  'ai.onnx.preview.training': 1,
};

/**
 * Refuses a model with operators that are not here, all of them named, and takes attributes that an operator does not have
 * from its nodes, as exporters write some that mean nothing. These, and opsets newer than known, are reported.
 * Functions have been put in place of their calls.
 */
export async function checkOperators(model: Model): Promise<void> {
  const missing: Node[] = [];
  const strange: StrangeAttribute[] = [];
  for (const node of allNodes(model.graph)) {
    const operator = findOperator(node.domain, node.op, node.opset ?? Number.POSITIVE_INFINITY);
    if (operator) dropStrange(node, Object.keys(operator.attributes), strange);
    else missing.push(node);
  }
  const newer = [...model.opsets].filter(([domain, version]) => version > (NEWEST_OPSETS[domain] ?? Number.NaN));
  for (const [domain, version] of newer)
    await adviseOnce(`opset ${version} of ${domain || 'ai.onnx'} is newer than known`, ({ newerOpset }) =>
      newerOpset(model, domain, NEWEST_OPSETS),
    );
  if (missing[0]) throw unsupported(missing as [Node, ...Node[]], model);
  if (strange[0])
    await adviseOnce(`unknown attributes are ignored: ${strange[0].attribute} …`, ({ strangeAttributes }) =>
      strangeAttributes(strange),
    );
}

function dropStrange(node: Node, known: readonly string[], strange: StrangeAttribute[]): void {
  const { attributes } = node;
  const names = Object.keys(attributes).filter((name) => !known.includes(name));
  for (const attribute of names) strange.push({ node, attribute, known });
  if (names.length > 0)
    node.attributes = Object.fromEntries(Object.entries(attributes).filter(([name]) => known.includes(name)));
}

function unsupported(missing: readonly [Node, ...Node[]], model: Model): SardonyxError {
  const names = new Set(missing.map(operatorName));
  const [{ name, op }] = missing;
  const place = names.size === 1 ? { node: name, operator: op } : {};
  const complaint = `no operator of the name ${[...names].join(', ')}`;
  return hinted(new SardonyxError('UNSUPPORTED_OPERATOR', complaint, place), ({ unsupportedOperators }) =>
    unsupportedOperators(missing, model, NEWEST_OPSETS, sinceOf),
  );
}
