import type { NodeProto } from '../../../build/onnx.js';
import { type Body, inputsOf, isGraph, outputsOf } from '../surgery/bodies.js';
import { type Both, type Found, type Key, pairBy } from './found.js';

/** A value of one body, and its counterpart in the other. */
type Known = Map<string, Both<string>>;

/**
 * Pairs nodes next to paired values if they produce or read them at the same position. If several do, `keys`
 * distinguish them.
 */
export function alongValues(
  found: Found,
  bodies: Both<Body>,
  known: Iterable<Both<string>>,
  keys: readonly Both<Key>[],
): void {
  const [left, right] = bodies.map(neighborsIn) as [Neighbors, Neighbors];
  const open: Known = new Map();
  const add = (before: string, after: string) => {
    if (before && after) open.set(`${before}\0${after}`, [before, after]);
  };
  const zip = (before: readonly string[], after: readonly string[]) => {
    for (const [i, name] of before.entries()) add(name, after[i] ?? '');
  };
  const around = (before: NodeProto, after: NodeProto) => {
    zip(before.input, after.input);
    zip(before.output, after.output);
  };
  for (const [before, after] of known) add(before, after);
  for (const [before, after] of found.pairs) around(before, after);
  for (const [before, after] of open.values())
    for (const [place, nodes] of left.get(before) ?? []) {
      const others = right.get(after)?.get(place);
      if (!others) continue;
      for (const key of keys) pairBy(found, [nodes, others], key);
      for (const node of nodes) {
        const other = found.pairs.get(node);
        if (other) around(node, other);
      }
    }
}

type Neighbors = Map<string, Map<string, NodeProto[]>>;

/** The nodes that read or produce each value, by operator and position. */
function neighborsIn({ node }: Body): Neighbors {
  const found: Neighbors = new Map();
  for (const entry of node)
    for (const [names, what] of [
      [entry.input, 'reads'],
      [entry.output, 'makes'],
    ] as const)
      for (const [i, name] of names.entries()) {
        if (!name) continue;
        const places = found.get(name) ?? new Map<string, NodeProto[]>();
        found.set(name, places);
        const place = `${entry.domain}.${entry.opType}:${entry.overload} ${what} ${i}`;
        const nodes = places.get(place) ?? [];
        places.set(place, nodes);
        nodes.push(entry);
      }
  return found;
}

/**
 * Pairs inputs, outputs and constants of two bodies: those with equal names, constants with unique contents, and the
 * remaining inputs and outputs in order.
 */
export function* bordersOf([a, b]: Both<Body>, [left, right]: Both<(name: string) => number>): Generator<Both<string>> {
  for (const names of [inputsOf, outputsOf]) {
    const [before, after] = [names(a), names(b)];
    const [left, right] = [new Set(before), new Set(after)];
    const isShared = (name: string) => left.has(name) && right.has(name);
    for (const name of before) if (isShared(name)) yield [name, name];
    const others = after.filter((name) => !isShared(name));
    for (const [i, name] of before.filter((one) => !isShared(one)).entries()) if (others[i]) yield [name, others[i]];
  }
  const others = alone(b, right);
  for (const [id, name] of alone(a, left)) {
    const other = others.get(id);
    if (name && other) yield [name, other];
  }
}

/** Constants by contents; '' if several are equal. */
function alone(body: Body, idOf: (name: string) => number): Map<number, string> {
  const found = new Map<number, string>();
  for (const { name } of isGraph(body) ? body.initializer : [])
    found.set(idOf(name), found.has(idOf(name)) ? '' : name);
  return found;
}
