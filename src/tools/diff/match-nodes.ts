import type { NodeProto } from '../../../build/onnx.js';
import type { Body } from '../surgery/bodies.js';
import { alongValues, bordersOf } from './along-values.js';
import { type Both, type Found, type Key, pairBy } from './found.js';
import { inPlace } from './in-place.js';
import type { Structure } from './structure.js';

/** A body, and what its nodes follow from and lead to: contents of weights included, and without. */
export interface Side {
  readonly body: Body;
  readonly exact: Structure;
  readonly loose: Structure;
}

/** Nodes of one body, and those of another that they have become. */
export type Pairs = ReadonlyMap<NodeProto, NodeProto>;

const made = ({ output }: NodeProto): string => output.find(Boolean) ?? '';
const operator = ({ domain, opType, overload }: NodeProto): string => `${domain}.${opType}:${overload}`;
const ends = ({ up, down }: Structure, node: NodeProto): string => `${up.get(node)} ${down.get(node)}`;

type OfStructure = (structure: Structure) => Key;

/** By what nodes are known again, the surest first: both ends, and the name. */
const SAME: readonly OfStructure[] = [
  (structure) => (node) => `${made(node)} ${ends(structure, node)}`,
  (structure) => (node) => ends(structure, node),
];
/** One end, and the name. */
const NEAR: readonly OfStructure[] = [
  ({ up }) =>
    (node) =>
      `${made(node)} ${up.get(node)}`,
  ({ down }) =>
    (node) =>
      `${made(node)} ${down.get(node)}`,
];
const ENDS: readonly OfStructure[] = [
  ({ up }) =>
    (node) =>
      up.get(node),
  ({ down }) =>
    (node) =>
      down.get(node),
];

const MADE: Key = (node) => made(node) && `${made(node)} ${operator(node)}`;
const NAMED: Key = (node) => node.name && `${node.name} ${operator(node)}`;
/** Of what an operator on integers is the form: `ConvInteger`, `QLinearConv` of `Conv`. */
const formOf = ({ opType }: NodeProto): string =>
  opType.replace(/^(DynamicQuantize|QLinear|Q)(?=[A-Z])/, '').replace(/(Integer|NBits)$/, '');
const unquantized = (name: string): string => name.replace(/_quant(ized)?$/, '');
/** The same in integers, by the names that quantizers give. */
const KIN: readonly Key[] = [
  (node) => node.name && `${unquantized(node.name)} ${formOf(node)}`,
  (node) => made(node) && `${unquantized(made(node))} ${formOf(node)}`,
];
/** The same value, now computed by another operator. */
const REPLACED: Key = (node) => made(node) || undefined;

/** Finds the nodes of one body in another, also where they have other names, another place or other inputs. */
export function matchNodes(a: Side, b: Side): Pairs {
  const found: Found = { pairs: new Map(), taken: new Set() };
  const bodies: Both<Body> = [a.body, b.body];
  const nodes: Both<readonly NodeProto[]> = [a.body.node, b.body.node];
  const isWhole = () => found.pairs.size === Math.min(...nodes.map(({ length }) => length));
  const alike = (level: Level, key: OfStructure): Both<Key> => [key(a[level]), key(b[level])];
  for (const key of SAME) pairBy(found, nodes, alike('exact', key), true);
  const names: Both<Key>[] = [MADE, NAMED].map((key) => [key, key]);
  const areKept = !isWhole() && areNamesKept(nodes, alike);
  for (const level of LEVELS) {
    if (isWhole()) return found.pairs;
    for (const key of NEAR) pairBy(found, nodes, alike(level, key));
    for (const key of areKept ? names : []) pairBy(found, nodes, key);
    for (const key of ENDS) pairBy(found, nodes, alike(level, key));
  }
  const own = alike('exact', (structure) => (node) => structure.own.get(node));
  const down = alike('loose', (structure) => (node) => structure.down.get(node));
  const borders = [...bordersOf(bodies, [a.exact.idOf, b.exact.idOf])];
  alongValues(found, bodies, borders, [ALONE, own, ...names, down]);
  for (const key of names) pairBy(found, nodes, key, true);
  alongValues(found, bodies, borders, [ALONE, own, ...names, down]);
  for (const key of KIN) pairBy(found, nodes, [key, key]);
  inPlace(found, bodies, borders);
  pairBy(found, nodes, [REPLACED, REPLACED], true);
  return found.pairs;
}

const ALONE: Both<Key> = [() => 1, () => 1];

const LEVELS = ['exact', 'loose'] as const;
type Level = (typeof LEVELS)[number];

/** Whether most nodes that can be known by one end alone have their names still: numbers of exporters move on. */
function areNamesKept(
  nodes: Both<readonly NodeProto[]>,
  alike: (level: Level, key: OfStructure) => Both<Key>,
): boolean {
  const found: Found = { pairs: new Map(), taken: new Set() };
  for (const key of ENDS) pairBy(found, nodes, alike('exact', key));
  const kept = [...found.pairs].filter(([before, after]) => made(before) === made(after)).length;
  return kept > 0 && 2 * kept >= found.pairs.size;
}
