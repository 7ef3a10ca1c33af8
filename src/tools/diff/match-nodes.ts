import type { NodeProto } from '../../../build/onnx.js';
import { type Body, inputsOf, outputsOf } from '../surgery/bodies.js';
import type { Structure } from './structure.js';

/** A body, with what its values follow from. */
export interface Side {
  readonly body: Body;
  readonly structure: Structure;
}

/** Nodes of one body, and those of another that they have become. */
export type Pairs = ReadonlyMap<NodeProto, NodeProto>;

type Key = (node: NodeProto, id: number) => string | number | undefined;

const made = ({ output }: NodeProto): string => output.find(Boolean) ?? '';
const operator = ({ domain, opType, overload }: NodeProto): string => `${domain}.${opType}:${overload}`;

/** By what nodes are known again, the surest first: what they make and follow from, one of these, and then what is around. */
const SURE: readonly Key[] = [
  (node, id) => `${made(node)} ${id}`,
  (_, id) => id,
  (node) => made(node) && `${made(node)} ${operator(node)}`,
  (node) => node.name && `${node.name} ${operator(node)}`,
];

/** The same value, now computed by another operator. */
const REPLACED: Key = (node) => made(node) || undefined;

/** Finds the nodes of one body in another, also where they have other names, another place or other inputs. */
export function matchNodes(a: Side, b: Side): Pairs {
  const pairs = new Map<NodeProto, NodeProto>();
  const taken = new Set<NodeProto>();
  const pair = (left: NodeProto, right: NodeProto) => {
    pairs.set(left, right);
    taken.add(right);
  };
  const byKey = (key: Key): void => {
    const found = new Map<string | number, NodeProto[]>();
    for (const node of b.body.node.toReversed()) {
      const text = taken.has(node) ? undefined : key(node, b.structure.nodes.get(node) as number);
      if (text) grouped(found, text).push(node);
    }
    for (const node of a.body.node) {
      const text = pairs.has(node) ? undefined : key(node, a.structure.nodes.get(node) as number);
      const right = text && found.get(text)?.pop();
      if (right) pair(node, right);
    }
  };
  for (const key of SURE) byKey(key);
  if (pairs.size < Math.min(a.body.node.length, b.body.node.length)) {
    alongValues(a.body, b.body, pairs, taken, pair);
    byKey(REPLACED);
  }
  return pairs;
}

/** Pairs nodes beside those that are paired: who makes, and who reads, the same in the same place. */
function alongValues(
  a: Body,
  b: Body,
  pairs: Pairs,
  taken: ReadonlySet<NodeProto>,
  pair: (left: NodeProto, right: NodeProto) => void,
): void {
  const [left, right] = [neighboursIn(a), neighboursIn(b)];
  const open: (readonly [string, string])[] = [];
  const zip = (before: readonly string[], after: readonly string[]) => {
    for (const [i, name] of before.entries()) if (name && after[i]) open.push([name, after[i] as string]);
  };
  zip(inputsOf(a), inputsOf(b));
  zip(outputsOf(a), outputsOf(b));
  for (const [before, after] of pairs) {
    zip(before.input, after.input);
    zip(before.output, after.output);
  }
  const seen = new Set<string>();
  for (const [before, after] of open) {
    const key = JSON.stringify([before, after]);
    if (seen.has(key)) continue;
    seen.add(key);
    for (const [place, nodes] of left.get(before) ?? []) {
      const others =
        right
          .get(after)
          ?.get(place)
          ?.filter((node) => !taken.has(node)) ?? [];
      for (const node of nodes) {
        const other = pairs.has(node) ? undefined : others.shift();
        if (!other) continue;
        pair(node, other);
        zip(node.input, other.input);
        zip(node.output, other.output);
      }
    }
  }
}

function grouped<K>(groups: Map<K, NodeProto[]>, key: K): NodeProto[] {
  const group = groups.get(key) ?? [];
  groups.set(key, group);
  return group;
}

/** Nodes around each value, by operator and the place that it has there. */
function neighboursIn({ node }: Body): Map<string, Map<string, NodeProto[]>> {
  const found = new Map<string, Map<string, NodeProto[]>>();
  for (const entry of node)
    for (const [names, what] of [
      [entry.input, 'reads'],
      [entry.output, 'makes'],
    ] as const)
      for (const [i, name] of names.entries()) {
        if (!name) continue;
        const places = found.get(name) ?? new Map<string, NodeProto[]>();
        found.set(name, places);
        const place = `${operator(entry)} ${what} ${i}`;
        grouped(places, place).push(entry);
      }
  return found;
}
