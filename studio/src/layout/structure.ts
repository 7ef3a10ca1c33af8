import type { Outline } from '../graph/outline.js';
import { at } from './columns.js';
import type { Group } from './groups.js';

/** Numbers that modules share which have the same operators, joined alike, in the same order. */
export function structureOf(
  { strings, nodes, values }: Outline,
  groups: readonly Group[],
  parent: Int32Array,
  ofNode: Int32Array,
): Int32Array {
  const alike = new Int32Array(groups.length);
  const known = new Map<string, number>();
  const place = new Int32Array(nodes.count);
  const inner: number[][] = groups.map(() => []);
  for (let i = groups.length - 1; i >= 0; i--) {
    const members = groups[i]?.nodes ?? [];
    members.forEach((node, k) => {
      place[node] = k;
    });
    const text = [...members.map((node) => describe(node, i)), ...(inner[i] ?? []).map((m) => `#${at(alike, m)}`)].join(
      ';',
    );
    const number = known.get(text) ?? known.size;
    known.set(text, number);
    alike[i] = number;
    if (at(parent, i) >= 0) inner[at(parent, i)]?.unshift(i);
  }
  return alike;

  function describe(node: number, module: number): string {
    let text = `${strings[at(nodes.domain, node)]}:${strings[at(nodes.operator, node)]}`;
    for (let k = at(nodes.inputs.start, node); k < at(nodes.inputs.start, node + 1); k++) {
      const value = at(nodes.inputs.values, k);
      const producer = value < 0 ? -2 : at(values.producer, value);
      text +=
        producer >= 0 && at(ofNode, producer) === module ? `,${at(place, producer)}` : producer === -2 ? ',-' : ',*';
    }
    return text;
  }
}
