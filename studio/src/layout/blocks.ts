import type { Outline } from '../graph/outline.js';
import { at, bit, nth } from './columns.js';
import { isFolded } from './folding.js';
import type { Group } from './group.js';
import { bestRepeat, cuts } from './repeats.js';
import { type Sequence, sequenceOf } from './sequence.js';

/** Levels with fewer items are easy to read without blocks. */
const LEAST_ITEMS = 24;
/** The most kinds of block to look for in one level. */
const KINDS = 8;
const MOST_ITEMS = 1000;
const PART = 400;

type Numbering = (group: Group) => number;

/** Turns runs of repeated items in a group into inner groups, and divides groups that are too long. */
export function withBlocks(outline: Outline, group: Group, numberOf: Numbering, itemOf: Int32Array): Group {
  if (group.nodes.length + group.groups.length < LEAST_ITEMS) return group;
  let result = group;
  for (let kind = 0; kind < KINDS; kind++) {
    const sequence = sequenceOf(outline, result, itemOf);
    const found = sequence.items.length < LEAST_ITEMS ? undefined : repeatIn(outline, sequence, numberOf);
    if (!found) break;
    const stretches = Array.from({ length: found.times }, (_, i) => {
      const begin = found.begin + i * found.period;
      return { title: '', items: sequence.items.slice(begin, begin + found.period) };
    });
    result = regrouped(outline, result, stretches);
  }
  return inParts(outline, result === group ? group : inOrder(outline, result, itemOf), itemOf);
}

function repeatIn(outline: Outline, { items, reads }: Sequence, numberOf: Numbering) {
  const { operator, domain } = outline.nodes;
  const symbols = items.map((item, i) => {
    if (typeof item !== 'number') return -1 - numberOf(item);
    const isChained = (reads[i] ?? []).includes(i - 1);
    return (at(operator, item) * 1024 + (at(domain, item) % 512)) * 2 + (isChained ? 1 : 0);
  });
  return bestRepeat(symbols, cuts(reads, Math.max(8, items.length / 4)));
}

interface Stretch {
  readonly title: string;
  readonly items: readonly (number | Group)[];
}

/** Makes each stretch a group; folded nodes go along with their only readers. */
function regrouped(outline: Outline, group: Group, stretches: readonly Stretch[]): Group {
  const stretchOf = new Map<number | Group, number>();
  stretches.forEach(({ items }, i) => {
    for (const item of items) stretchOf.set(item, i);
  });
  noteFolded(outline, group, stretchOf);
  const nodesOf: number[][] = stretches.map(() => []);
  const left: number[] = [];
  for (const node of group.nodes) {
    const stretch = stretchOf.get(node);
    (stretch === undefined ? left : (nodesOf[stretch] as number[])).push(node);
  }
  const made = stretches.map(({ title, items }, i): Group => {
    const groups = items.filter((item): item is Group => typeof item !== 'number');
    return { title, path: undefined, nodes: nodesOf[i] ?? [], groups };
  });
  const others = group.groups.filter((inner) => !stretchOf.has(inner));
  return { ...group, nodes: left, groups: [...others, ...made] };
}

/** Inner groups in graph order. */
function inOrder(outline: Outline, group: Group, itemOf: Int32Array): Group {
  const { items } = sequenceOf(outline, group, itemOf);
  return { ...group, groups: items.filter((item): item is Group => typeof item !== 'number') };
}

const APART = -1;

function noteFolded({ nodes, values }: Outline, group: Group, stretchOf: Map<number | Group, number>): void {
  const readBy = new Map<number, number>();
  for (let i = group.nodes.length - 1; i >= 0; i--) {
    const node = nth(group.nodes, i);
    const own = readBy.get(node);
    if (isFolded(bit(nodes.flags, node)) && own !== undefined && own !== APART) stretchOf.set(node, own);
    const stretch = stretchOf.get(node) ?? APART;
    for (let k = at(nodes.inputs.start, node); k < at(nodes.inputs.start, node + 1); k++) {
      const value = at(nodes.inputs.values, k);
      const producer = value < 0 ? -1 : at(values.producer, value);
      if (producer >= 0) readBy.set(producer, (readBy.get(producer) ?? stretch) === stretch ? stretch : APART);
    }
  }
}

/** Splits an overlong row of items evenly. */
function inParts(outline: Outline, group: Group, itemOf: Int32Array): Group {
  if (group.nodes.length + group.groups.length <= MOST_ITEMS) return group;
  const { items } = sequenceOf(outline, group, itemOf);
  if (items.length <= MOST_ITEMS) return group;
  const count = Math.ceil(items.length / PART);
  const size = Math.ceil(items.length / count);
  const parts = Array.from({ length: count }, (_, i) => ({
    title: `part ${i + 1} of ${count}`,
    items: items.slice(i * size, (i + 1) * size),
  }));
  return regrouped(outline, group, parts);
}
