import type { AttributeProto, NodeProto, TensorProto, ValueInfoProto } from '../../../build/onnx.js';
import { type Body, graphsOf, inputsOf, isGraph } from '../surgery/bodies.js';
import type { Change } from './change.js';
import { diffList, movedIn, type Place } from './diff-list.js';
import type { Both } from './found.js';
import { matchNodes, type Pairs, type Side } from './match-nodes.js';
import { changedFields, isSame } from './same.js';
import { type Numbers, type Structure, structureOf } from './structure.js';
import { attributeText, labelOf, namesText, nodeText, tensorText, typeText } from './texts.js';
import { type Renamed, valueNames } from './value-names.js';

/** The changes found so far, and the tensors whose contents are still to be compared. */
export interface Report {
  readonly number: Numbers;
  /** Fingerprints of the weights of each model. */
  readonly prints: Both<(tensor: TensorProto) => string>;
  readonly changes: Change[];
  /** Paired nodes of all bodies. */
  readonly pairs: Map<NodeProto, NodeProto>;
  readonly owners: Map<Change, Owner>;
  readonly tensors: { readonly change: Change; readonly before: TensorProto; readonly after: TensorProto }[];
}

/** The node that a change belongs to, in each model. */
export type Owner = readonly [before: NodeProto | undefined, after: NodeProto | undefined];

/** Two bodies to compare. `renamed` maps names of outer values, and `around` has the structures of the outer bodies. */
interface Bodies {
  readonly a: Body;
  readonly b: Body;
  readonly path: string;
  readonly renamed: Renamed;
  readonly around?: Both<Structures>;
}

type Structures = Pick<Side, 'exact' | 'loose'>;

const NOTHING = () => '';

function sidesOf({ a, b, path, around }: Bodies, { number, prints }: Report): Both<Side> {
  const [left, right] = [new Set(inputsOf(a)), new Set(inputsOf(b))];
  const isFed = path === 'graph';
  const structure = (body: Body, others: ReadonlySet<string>, print: typeof NOTHING, outer: Structure | undefined) => {
    const input = (name: string, i: number) => (isFed && others.has(name) ? name : `${i}`);
    return structureOf(body, { number, print, input, around: outer?.idOf });
  };
  const side = (body: Body, others: ReadonlySet<string>, i: 0 | 1): Side => {
    let loose: Structure | undefined;
    const exact = structure(body, others, prints[i] as typeof NOTHING, around?.[i].exact);
    return {
      body,
      exact,
      get loose() {
        loose ??= structure(body, others, NOTHING, around?.[i].loose);
        return loose;
      },
    };
  };
  return [side(a, right, 0), side(b, left, 1)];
}

/** Fields of a body and of a node that are compared separately. */
const BODY_FIELDS = ['node', 'input', 'output', 'initializer', 'valueInfo'];
const NODE_FIELDS = ['name', 'input', 'output', 'attribute', 'opType', 'domain'];

/** Reports the differences of two graphs or functions. */
export function diffBodies(bodies: Bodies, report: Report): void {
  const { a, b, path, ...outer } = bodies;
  const { changes } = report;
  const around = sidesOf(bodies, report);
  const pairs = matchNodes(...around);
  for (const [before, after] of pairs) report.pairs.set(before, after);
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
  diffNodes({ a, b, path, renamed, around }, pairs, report);
  diffList(a.valueInfo, b.valueInfo, { ...types, part: 'type' }, changes);
  for (const name of changedFields(a, b as typeof a, BODY_FIELDS))
    changes.push({ part: 'field', change: 'changed', path, name });
}

/** The declarations of inputs or outputs. Those of a function have only names. */
const infosOf = (list: Body['input']): ValueInfoProto[] =>
  list.map((item) => (typeof item === 'string' ? ({ name: item } as ValueInfoProto) : item));

function diffTensors(before: TensorProto, after: TensorProto, place: Place, { changes, tensors }: Report): void {
  const change: Change = { ...place, change: 'changed', before: tensorText(before), after: tensorText(after) };
  if (change.before === change.after) tensors.push({ change, before, after });
  else changes.push(change);
}

function diffNodes(bodies: Bodies, pairs: Pairs, report: Report): void {
  const { a, b, path } = bodies;
  const { changes, owners, tensors } = report;
  const tell = (node: NodeProto, change: Partial<Change> & Pick<Change, 'change'>) => {
    const told: Change = { part: 'node', path, name: labelOf(node), ...change };
    changes.push(told);
    owners.set(told, change.change === 'added' ? [undefined, node] : [node, pairs.get(node)]);
  };
  const now = new Set(pairs.values());
  for (const node of a.node) {
    const after = pairs.get(node);
    const [begin, first] = [changes.length, tensors.length];
    if (after) diffNode(bodies, node, after, report);
    else tell(node, { change: 'removed', before: nodeText(node) });
    for (const change of [...changes.slice(begin), ...tensors.slice(first).map((told) => told.change)])
      if (!owners.has(change)) owners.set(change, [node, after]);
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

/** Compares subgraphs by their differences, and tensors by their contents. */
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
