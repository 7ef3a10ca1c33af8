import type { NodeProto } from '../../../build/onnx.js';
import type { Body } from '../surgery/bodies.js';
import { type Both, type Found, type Key, pairBy } from './found.js';

/** Pairs nodes of any operators with the same inputs and readers, if they are unique: one has replaced the other. */
export function inPlace(found: Found, bodies: Both<Body>, borders: readonly Both<string>[]): void {
  const places = [...found.pairs].map((nodes, i): readonly [Both<NodeProto>, string] => [nodes, `${i}`]);
  const keys = ([0, 1] as const).map((side) => {
    const ends = new Map(places.map(([nodes, id]) => [nodes[side], id]));
    const values = new Map(borders.map((names, i) => [names[side], `border ${i}`]));
    for (const [node, id] of ends)
      for (const [i, name] of node.output.entries()) if (name) values.set(name, `${id}.${i}`);
    return placeIn(bodies[side], ends, values);
  });
  pairBy(found, [bodies[0].node, bodies[1].node], keys as [Key, Key]);
}

function placeIn({ node }: Body, ends: ReadonlyMap<NodeProto, string>, values: ReadonlyMap<string, string>): Key {
  const readers = new Map<string, string[]>();
  for (const reader of node)
    for (const [i, name] of reader.input.entries()) {
      const places = readers.get(name) ?? [];
      readers.set(name, places);
      places.push(`${ends.get(reader) ?? ''}.${i}`);
    }
  return ({ input, output }) => {
    const before = input.map((name) => (name ? (values.get(name) ?? '') : 'none'));
    const behind = output.map((name) => (readers.get(name) ?? []).sort());
    const isOpen = before.includes('') || behind.flat().some((place) => place.startsWith('.'));
    return isOpen ? undefined : JSON.stringify([before, behind]);
  };
}
