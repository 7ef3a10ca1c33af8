import type { NodeProto } from '../../../build/onnx.js';
import type { Body } from '../surgery/bodies.js';
import { alongValues, bordersOf } from './along-values.js';
import { type Both, type Found, type Key, pairBy } from './found.js';
import { inPlace } from './in-place.js';
import type { Structure } from './structure.js';

/** A body and its structure, with and without the contents of weights. */
export interface Side {
  readonly body: Body;
  readonly exact: Structure;
  readonly loose: Structure;
}

/** Nodes of one body and their counterparts in the other. */
export type Pairs = ReadonlyMap<NodeProto, NodeProto>;

const made = ({ output }: NodeProto): string => output.find(Boolean) ?? '';
const operator = ({ domain, opType, overload }: NodeProto): string => `${domain}.${opType}:${overload}`;
const ends = ({ up, down }: Structure, node: NodeProto): string => `${up.get(node)} ${down.get(node)}`;

type OfStructure = (structure: Structure) => Key;

/** Keys to pair nodes by, most reliable first: both ends, with the output name and without. */
const SAME: readonly OfStructure[] = [
  (structure) => (node) => `${made(node)} ${ends(structure, node)}`,
  (structure) => (node) => ends(structure, node),
];
/** Keys of one end and the output name. */
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
/** The operator that a quantized operator is derived from: `Conv` for `ConvInteger` and `QLinearConv`. */
const formOf = ({ opType }: NodeProto): string =>
  opType.replace(/^(DynamicQuantize|QLinear|Q)(?=[A-Z])/, '').replace(/(Integer|NBits)$/, '');
const unquantized = (name: string): string => name.replace(/_quant(ized)?$/, '');
/** Pairs nodes with their quantized forms, by the names that quantizers assign. */
const KIN: readonly Key[] = [
  (node) => node.name && `${unquantized(node.name)} ${formOf(node)}`,
  (node) => made(node) && `${unquantized(made(node))} ${formOf(node)}`,
];
/** Pairs nodes that produce a value of the same name with another operator. */
const REPLACED: Key = (node) => made(node) || undefined;

/** Pairs the nodes of two bodies, even if their names, positions or inputs differ. */
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

/**
 * Whether most nodes that are unique by one end have kept their output names. Numbers in names of exporters may shift.
 */
function areNamesKept(
  nodes: Both<readonly NodeProto[]>,
  alike: (level: Level, key: OfStructure) => Both<Key>,
): boolean {
  const found: Found = { pairs: new Map(), taken: new Set() };
  for (const key of ENDS) pairBy(found, nodes, alike('exact', key));
  const kept = [...found.pairs].filter(([before, after]) => made(before) === made(after)).length;
  return kept > 0 && 2 * kept >= found.pairs.size;
}
