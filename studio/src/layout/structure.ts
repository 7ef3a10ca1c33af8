import type { Outline } from '../graph/outline.js';
import { at, bit } from './columns.js';
import { isFolded } from './folding.js';
import type { Group } from './group.js';

/** Numbers groups by structure: equal for groups with the same operators, connected alike, in the same order. */
export function structures({ nodes, values }: Outline): (group: Group) => number {
  const numbers = new Map<string, number>();
  const known = new WeakMap<Group, number>();
  const place = new Int32Array(nodes.count).fill(-1);
  return numberOf;

  function numberOf(group: Group): number {
    const found = known.get(group);
    if (found !== undefined) return found;
    const inner = group.groups.map((of) => `#${numberOf(of)}`);
    const drawn = group.nodes.filter((node) => !isFolded(bit(nodes.flags, node)));
    drawn.forEach((node, i) => {
      place[node] = i;
    });
    const text = [...drawn.map(described), ...inner].join(';');
    for (const node of drawn) place[node] = -1;
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    known.set(group, number);
    return number;
  }

  /** The operator and the origins of its operands; -1 for outside the group. Weights are the same passed on or not. */
  function described(node: number): string {
    let text = `${at(nodes.domain, node)}:${at(nodes.operator, node)}`;
    for (let i = at(nodes.inputs.start, node); i < at(nodes.inputs.start, node + 1); i++) {
      const value = at(nodes.inputs.values, i);
      const producer = value < 0 ? -1 : at(values.producer, value);
      const isSeen = producer >= 0 && !isFolded(bit(nodes.flags, producer));
      text += `,${isSeen ? at(place, producer) : ''}`;
    }
    return text;
  }
}
