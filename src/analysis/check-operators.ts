import { hinted } from '../advice/hinted.js';
import type { StrangeAttribute } from '../advice/operators.js';
import { adviseOnce } from '../advice/warn.js';
import { type ErrorCode, SardonyxError } from '../base/errors.js';
import type { Model, Node } from '../graph/graph.js';
import { allNodes, operatorName } from '../graph/walk.js';
import type { AnyOperator } from '../schema/definition.js';
import {
  becameInput,
  givenAsAttribute,
  givenAsInput,
  isStillAttribute,
  type Move,
  movesOf,
  type VersionNames,
} from '../schema/moves.js';
import { allOperators, findOperator, versionsOf } from '../schema/registry.js';
import { parameterAt } from '../schema/signature.js';

/** The newest known opset of each domain. */
export const NEWEST_OPSETS: Readonly<Record<string, number>> = {
  '': 28,
  'ai.onnx.ml': 5,
  'ai.onnx.preview.training': 1,
};

/**
 * Refuses a model with unsupported operators; the error names all of them. Also refuses nodes that give an attribute as an input for their
 * opset, or the reverse. Drops other unknown attributes, because exporters write meaningless ones. Reports these, and opsets newer than the
 * known ones. Functions must have been inlined.
 * @param loadAll loads the operators that models load on demand, because a misspelled name may resemble one of these
 */
export async function checkOperators(model: Model, loadAll?: () => Promise<void>): Promise<void> {
  const missing: Node[] = [];
  const strange: StrangeAttribute[] = [];
  for (const node of allNodes(model.graph)) {
    const operator = findOperator(node.domain, node.op, node.opset ?? Number.POSITIVE_INFINITY);
    if (operator) {
      refuseMoved(node, operator);
      dropStrange(node, Object.keys(operator.attributes), strange);
    } else missing.push(node);
  }
  const newer = [...model.opsets].filter(([domain, version]) => version > (NEWEST_OPSETS[domain] ?? Number.NaN));
  for (const [domain, version] of newer)
    await adviseOnce(`opset ${version} of ${domain || 'ai.onnx'} is newer than known`, ({ newerOpset }) =>
      newerOpset(model, domain, NEWEST_OPSETS),
    );
  if (missing[0]) {
    await loadAll?.().catch(() => {});
    throw unsupported(missing as [Node, ...Node[]], model);
  }
  if (strange[0])
    await adviseOnce(`unknown attributes are ignored: ${strange[0].attribute} …`, ({ strangeAttributes }) =>
      strangeAttributes(strange),
    );
}

/** Refuses attributes that are inputs in the node's opset, or the reverse, instead of ignoring them silently. */
function refuseMoved(node: Node, { attributes, signature, since }: AnyOperator): void {
  const strange = Object.keys(node.attributes).filter((name) => !(name in attributes));
  const extra = node.inputs.findIndex((value, i) => value && !parameterAt(signature.inputs, i));
  if (strange.length === 0 && extra < 0) return;
  const moves = movesOf(versionsOf(node.domain, node.op).map(namesOf));
  for (const name of strange) {
    const move = becameInput(moves, since, name);
    if (move) throw moved(node, 'INVALID_ATTRIBUTE', givenAsAttribute(move), move);
  }
  const move = extra < 0 ? undefined : isStillAttribute(moves, Object.keys(attributes), extra);
  if (move) throw moved(node, 'INVALID_GRAPH', givenAsInput(move), move);
}

const namesOf = ({ since, attributes, signature }: AnyOperator): VersionNames => ({
  since,
  attributes: Object.keys(attributes),
  inputs: signature.inputs.map(({ name }) => name),
});

function moved(node: Node, code: ErrorCode, complaint: string, move: Move): SardonyxError {
  const error = new SardonyxError(code, complaint, { node: node.name, operator: node.op });
  return hinted(error, ({ otherOpset }) => otherOpset(complaint, node.opset, move));
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
  const complaint = `unsupported operators: ${[...names].join(', ')}`;
  return hinted(new SardonyxError('UNSUPPORTED_OPERATOR', complaint, place), ({ unsupportedOperators }) =>
    unsupportedOperators(missing, model, NEWEST_OPSETS, allOperators()),
  );
}
