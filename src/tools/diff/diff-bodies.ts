import type { AttributeProto, NodeProto, TensorProto, ValueInfoProto } from '../../../build/onnx.js';
import { type Body, graphsOf, isGraph } from '../surgery/bodies.js';
import type { Change } from './change.js';
import { diffList, movedIn, type Place } from './diff-list.js';
import { matchNodes, type Pairs } from './match-nodes.js';
import { changedFields, isSame } from './same.js';
import { type Numbers, structureOf } from './structure.js';
import { attributeText, labelOf, namesText, nodeText, tensorText, typeText } from './texts.js';
import { type Renamed, valueNames } from './value-names.js';

/** Where changes are told, and tensors whose contents are still to be compared. */
export interface Report {
  readonly number: Numbers;
  readonly changes: Change[];
  readonly tensors: { readonly change: Change; readonly before: TensorProto; readonly after: TensorProto }[];
}

/** Two bodies, and what names around them are called in the other, and follow from. */
interface Bodies {
  readonly a: Body;
  readonly b: Body;
  readonly path: string;
  readonly renamed: Renamed;
  readonly around?: readonly [(name: string) => number, (name: string) => number];
}

/** Fields of a body, and of a node, that have words of their own. */
const BODY_FIELDS = ['node', 'input', 'output', 'initializer', 'valueInfo'];
const NODE_FIELDS = ['name', 'input', 'output', 'attribute', 'opType', 'domain'];

/** Tells what is different in two graphs, or two functions. */
export function diffBodies({ a, b, path, ...outer }: Bodies, report: Report): void {
  const { changes, number } = report;
  const [left, right] = [structureOf(a, number, outer.around?.[0]), structureOf(b, number, outer.around?.[1])];
  const pairs = matchNodes({ body: a, structure: left }, { body: b, structure: right });
  const renamed = valueNames(a, b, pairs, outer.renamed);
  const types = { path, text: typeText, renamed };
  for (const part of ['input', 'output'] as const)
    diffList(infosOf(a[part]), infosOf(b[part]), { ...types, part, isOrdered: true }, changes);
  if (isGraph(a) && isGraph(b)) {
    const compare = (before: TensorProto, after: TensorProto, place: Place) => {
      diffTensors(before, after, place, report);
      if (before.name !== after.name)
        changes.push({ ...place, change: 'renamed', before: before.name, after: after.name });
    };
    diffList(a.initializer, b.initializer, { part: 'weight', path, text: tensorText, renamed, compare }, changes);
  }
  diffNodes({ a, b, path, renamed, around: [left.idOf, right.idOf] }, pairs, report);
  diffList(a.valueInfo, b.valueInfo, { ...types, part: 'type' }, changes);
  for (const name of changedFields(a, b as typeof a, BODY_FIELDS))
    changes.push({ part: 'field', change: 'changed', path, name });
}

/** Those of a function are names alone. */
const infosOf = (list: Body['input']): ValueInfoProto[] =>
  list.map((item) => (typeof item === 'string' ? ({ name: item } as ValueInfoProto) : item));

function diffTensors(before: TensorProto, after: TensorProto, place: Place, { changes, tensors }: Report): void {
  const change: Change = { ...place, change: 'changed', before: tensorText(before), after: tensorText(after) };
  if (change.before === change.after) tensors.push({ change, before, after });
  else changes.push(change);
}

function diffNodes(bodies: Bodies, pairs: Pairs, report: Report): void {
  const { a, b, path } = bodies;
  const { changes } = report;
  const tell = (node: NodeProto, change: Partial<Change> & Pick<Change, 'change'>) =>
    changes.push({ part: 'node', path, name: labelOf(node), ...change });
  const now = new Set(pairs.values());
  for (const node of a.node) {
    const after = pairs.get(node);
    if (after) diffNode(bodies, node, after, report);
    else tell(node, { change: 'removed', before: nodeText(node) });
  }
  for (const node of b.node) if (!now.has(node)) tell(node, { change: 'added', after: nodeText(node) });
  const inOrder = new Map(a.node.flatMap((node) => (pairs.has(node) ? [[node, pairs.get(node) as NodeProto]] : [])));
  for (const node of movedIn(inOrder, b.node)) tell(node, { change: 'moved' });
}

function diffNode(bodies: Bodies, before: NodeProto, after: NodeProto, report: Report): void {
  const { path, renamed } = bodies;
  const { changes } = report;
  const label = labelOf(before);
  const place = { part: 'node', path, name: label } as const;
  const inputs = before.input.map((name) => name && renamed(name));
  if (
    before.opType !== after.opType ||
    before.domain !== after.domain ||
    before.output.length !== after.output.length ||
    !isSame(inputs, after.input)
  )
    changes.push({ ...place, change: 'changed', before: nodeText(before), after: nodeText(after) });
  const names = { before: namesText(before), after: namesText(after) };
  if (names.before !== names.after) changes.push({ ...place, change: 'renamed', ...names });
  for (const field of changedFields(before, after, NODE_FIELDS))
    changes.push({ ...place, part: 'field', change: 'changed', name: `${label}.${field}` });
  const compare = (one: AttributeProto, other: AttributeProto, where: Place) =>
    diffAttribute(bodies, one, other, where, report);
  const list = { part: 'attribute', path, owner: `${label}.`, text: attributeText, compare } as const;
  diffList(before.attribute, after.attribute, list, changes);
}

/** Graphs in it are told of by what is different in them, tensors by their contents. */
function diffAttribute(
  bodies: Bodies,
  before: AttributeProto,
  after: AttributeProto,
  place: Place,
  report: Report,
): void {
  const [graphs, others] = [graphsOf(before), graphsOf(after)];
  if (
    changedFields(before, after, ['g', 'graphs', 't']).length > 0 ||
    graphs.length !== others.length ||
    !before.t !== !after.t
  )
    report.changes.push({ ...place, change: 'changed', before: attributeText(before), after: attributeText(after) });
  if (before.t && after.t) diffTensors(before.t, after.t, place, report);
  for (const [i, a] of graphs.entries()) {
    const path = `${place.path}.${place.name}${graphs.length > 1 ? `[${i}]` : ''}`;
    const b = others[i];
    if (b) diffBodies({ ...bodies, a, b, path }, report);
  }
}
