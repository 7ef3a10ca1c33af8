import type { AttributeProto, GraphProto, NodeProto, TensorProto, ValueInfoProto } from '../../../build/onnx.js';
import { printAttribute } from '../../model/text/print-nodes.js';
import { printType } from '../../model/text/print-types.js';
import { styleOf } from '../../model/text/style.js';
import { type Body, graphsOf, inputsOf, isGraph } from '../surgery/bodies.js';
import type { Change, ChangedPart } from './change.js';
import { matchNodes, type Pairs } from './match-nodes.js';
import { moved } from './moved.js';
import { changedFields, isSame } from './same.js';
import { type Numbers, structureOf } from './structure.js';

/** Where changes are told, and tensors whose contents are still to be compared. */
export interface Report {
  readonly number: Numbers;
  readonly changes: Change[];
  readonly tensors: { readonly change: Change; readonly before: TensorProto; readonly after: TensorProto }[];
}

/** Two bodies, and what names of the one are called in the other. */
interface Bodies<B extends Body = Body> {
  readonly a: B;
  readonly b: B;
  readonly path: string;
  readonly renamed: (name: string) => string;
  /** What names of graphs around follow from. */
  readonly around?: readonly [(name: string) => number, (name: string) => number];
}

const STYLE = styleOf({ limit: 8 });

const typeText = (info: ValueInfoProto | undefined): string => (info?.type ? printType(info.type, STYLE) : '');

/** Tells what is different in two graphs, or two functions. */
export function diffBodies(bodies: Bodies, report: Report): void {
  const { a, b, around } = bodies;
  const [left, right] = [structureOf(a, report.number, around?.[0]), structureOf(b, report.number, around?.[1])];
  const pairs = matchNodes({ body: a, structure: left }, { body: b, structure: right });
  const inner = { ...bodies, renamed: namesIn(bodies, pairs), around: [left.idOf, right.idOf] as const };
  diffBorders(inner, report);
  if (isGraph(a) && isGraph(b)) diffWeights({ ...inner, a, b }, report);
  diffNodes(inner, pairs, report);
  diffTypes(inner, report);
}

/** What values of the first are called in the second: by what makes them, and where they are read. */
function namesIn({ a, b, renamed }: Bodies, pairs: Pairs): (name: string) => string {
  const names = new Map<string, string>();
  const zip = (before: readonly string[], after: readonly string[]) => {
    for (const [i, name] of before.entries()) if (name && after[i] && !names.has(name)) names.set(name, after[i]);
  };
  for (const [before, after] of pairs) zip(before.output, after.output);
  zip(...others(inputsOf(a), inputsOf(b), names));
  if (isGraph(a) && isGraph(b)) {
    const [, free] = others(constantsIn(a), constantsIn(b), names);
    const [left, right] = [new Set(constantsIn(a)), new Set(free)];
    for (const [before, after] of pairs)
      for (const [i, name] of before.input.entries())
        if (left.has(name) && !names.has(name) && right.delete(after.input[i] ?? ''))
          names.set(name, after.input[i] as string);
  }
  return (name) => names.get(name) ?? renamed(name);
}

const constantsIn = ({ initializer }: GraphProto): string[] => initializer.map(({ name }) => name);

/** Those that are in one list only; such as are in both keep their names. */
function others(a: readonly string[], b: readonly string[], names: Map<string, string>): [string[], string[]] {
  const [left, right] = [new Set(a), new Set(b)];
  for (const name of a) if (right.has(name)) names.set(name, name);
  return [a.filter((name) => !right.has(name)), b.filter((name) => !left.has(name))];
}

function diffBorders({ a, b, path, renamed }: Bodies, { changes }: Report): void {
  for (const [part, before, after] of [
    ['input', infosOf(a, 'input'), infosOf(b, 'input')],
    ['output', infosOf(a, 'output'), infosOf(b, 'output')],
  ] as const) {
    const others = new Map(after.map((info) => [info.name, info]));
    for (const info of before) {
      const name = others.has(info.name) ? info.name : renamed(info.name);
      const other = others.get(name);
      others.delete(name);
      tell(changes, { part, path, name: info.name }, info, other, typeText);
      if (other && name !== info.name)
        changes.push({ part, change: 'renamed', path, name: info.name, before: info.name, after: name });
    }
    for (const info of others.values()) tell(changes, { part, path, name: info.name }, undefined, info, typeText);
    const order = before.map(({ name }) => renamed(name));
    const now = after.map(({ name }) => name).filter((name) => order.includes(name));
    if (
      !isSame(
        order.filter((name) => now.includes(name)),
        now,
      )
    )
      changes.push({ part, change: 'moved', path, name: '', before: order.join(', '), after: now.join(', ') });
  }
}

type Info = Pick<ValueInfoProto, 'name'> & Partial<ValueInfoProto>;

const infosOf = (body: Body, field: 'input' | 'output'): ValueInfoProto[] =>
  isGraph(body) ? body[field] : (body[field].map((name): Info => ({ name }) as ValueInfoProto) as ValueInfoProto[]);

/** Tells of what is there no more, or newly, or says something else. */
function tell<T extends object>(
  changes: Change[],
  place: { readonly part: ChangedPart; readonly path: string; readonly name: string },
  before: T | undefined,
  after: T | undefined,
  text: (item: T) => string,
  except: readonly string[] = ['name'],
): void {
  const was = before && { before: text(before) };
  const is = after && { after: text(after) };
  if (before && after) {
    if (changedFields(before, after, except).length > 0) changes.push({ ...place, change: 'changed', ...was, ...is });
  } else if (before || after) changes.push({ ...place, change: before ? 'removed' : 'added', ...was, ...is });
}

const tensorText = ({ dataType, dims }: TensorProto): string =>
  printType({ tensorType: { elemType: dataType, shape: { dim: dims.map((dimValue) => ({ dimValue })) } } }, STYLE);

function diffWeights({ a, b, path, renamed }: Bodies<GraphProto>, report: Report): void {
  const others = new Map(b.initializer.map((tensor) => [tensor.name, tensor]));
  for (const tensor of a.initializer) {
    const after = others.get(renamed(tensor.name));
    const place = { part: 'weight', path, name: tensor.name } as const;
    if (after) others.delete(after.name);
    if (!after) tell(report.changes, place, tensor, undefined, tensorText);
    else diffTensors(place, tensor, after, report);
    if (after && after.name !== tensor.name)
      report.changes.push({ ...place, change: 'renamed', before: tensor.name, after: after.name });
  }
  for (const tensor of others.values())
    tell(report.changes, { part: 'weight', path, name: tensor.name }, undefined, tensor, tensorText);
}

function diffTensors(
  place: { readonly part: ChangedPart; readonly path: string; readonly name: string },
  before: TensorProto,
  after: TensorProto,
  { changes, tensors }: Report,
): void {
  const change: Change = { ...place, change: 'changed', before: tensorText(before), after: tensorText(after) };
  if (change.before !== change.after) changes.push(change);
  else tensors.push({ change, before, after });
}

const labelOf = ({ opType, name, output }: NodeProto): string => `${opType} "${name || output.find(Boolean) || ''}"`;

const nodeText = ({ domain, opType, input, output }: NodeProto): string =>
  `${output.join(', ')} = ${domain ? `${domain}.` : ''}${opType}(${input.join(', ')})`;

function diffNodes(bodies: Bodies, pairs: Pairs, report: Report): void {
  const { a, b, path } = bodies;
  const { changes } = report;
  const now = new Set(pairs.values());
  for (const node of a.node) {
    const after = pairs.get(node);
    const place = { part: 'node', path, name: labelOf(node) } as const;
    if (after) diffNode(bodies, node, after, report);
    else changes.push({ ...place, change: 'removed', before: nodeText(node) });
  }
  for (const node of b.node)
    if (!now.has(node))
      changes.push({ part: 'node', change: 'added', path, name: labelOf(node), after: nodeText(node) });
  const places = new Map(b.node.map((node, i) => [node, i]));
  const kept = a.node.flatMap((node) => (pairs.has(node) ? [node] : []));
  for (const i of moved(kept.map((node) => places.get(pairs.get(node) as NodeProto) as number)))
    changes.push({ part: 'node', change: 'moved', path, name: labelOf(kept[i] as NodeProto) });
}

/** Fields of a node that have words of their own. */
const NODE_FIELDS = ['name', 'input', 'output', 'attribute'];

function diffNode(bodies: Bodies, before: NodeProto, after: NodeProto, report: Report): void {
  const { path, renamed } = bodies;
  const { changes } = report;
  const place = { part: 'node', path, name: labelOf(before) } as const;
  const texts = { before: nodeText(before), after: nodeText(after) };
  const isOther = before.opType !== after.opType || before.domain !== after.domain;
  const hasOther = !isSame(
    before.input.map((name) => name && renamed(name)),
    after.input,
  );
  if (isOther || hasOther || before.output.length !== after.output.length)
    changes.push({ ...place, change: 'changed', ...texts });
  if (before.name !== after.name || !isSame(before.output, after.output))
    changes.push({ ...place, change: 'renamed', before: named(before), after: named(after) });
  for (const field of changedFields(before, after, [...NODE_FIELDS, 'opType', 'domain']))
    changes.push({ part: 'field', change: 'changed', path, name: `${labelOf(before)}.${field}` });
  diffAttributes(bodies, before, after, report);
}

const named = ({ name, output }: NodeProto): string => [...(name ? [`[${name}]`] : []), output.join(', ')].join(' ');

const attributeText = (attribute: AttributeProto): string => {
  const { name, g, graphs } = attribute;
  return g || graphs.length > 0 ? `${name}: graph` : printAttribute(attribute, STYLE);
};

function diffAttributes(bodies: Bodies, before: NodeProto, after: NodeProto, report: Report): void {
  const { path } = bodies;
  const others = new Map(after.attribute.map((attribute) => [attribute.name, attribute]));
  for (const attribute of before.attribute) {
    const other = others.get(attribute.name);
    others.delete(attribute.name);
    const name = `${labelOf(before)}.${attribute.name}`;
    const place = { part: 'attribute', path, name } as const;
    const [graphs, now] = [graphsOf(attribute), other ? graphsOf(other) : []];
    tell(report.changes, place, attribute, other, attributeText, ['g', 'graphs', 't']);
    if (!other) continue;
    if (attribute.t && other.t) diffTensors(place, attribute.t, other.t, report);
    for (const [i, a] of graphs.entries()) {
      const b = now[i];
      if (b) diffBodies({ ...bodies, a, b, path: `${path}.${name}${graphs.length > 1 ? `[${i}]` : ''}` }, report);
    }
    if (graphs.length !== now.length) report.changes.push({ ...place, change: 'changed' });
  }
  for (const attribute of others.values())
    tell(
      report.changes,
      { part: 'attribute', path, name: `${labelOf(before)}.${attribute.name}` },
      undefined,
      attribute,
      attributeText,
    );
}

/** Fields of a body that have words of their own. */
const BODY_FIELDS = ['node', 'input', 'output', 'initializer', 'valueInfo'];

function diffTypes({ a, b, path, renamed }: Bodies, { changes }: Report): void {
  const others = new Map(b.valueInfo.map((info) => [info.name, info]));
  for (const info of a.valueInfo) {
    const other = others.get(renamed(info.name));
    if (other) others.delete(other.name);
    tell(changes, { part: 'type', path, name: info.name }, info, other, typeText);
  }
  for (const info of others.values()) tell(changes, { part: 'type', path, name: info.name }, undefined, info, typeText);
  for (const field of changedFields(a, b as typeof a, BODY_FIELDS))
    changes.push({ part: 'field', change: 'changed', path, name: field });
}
