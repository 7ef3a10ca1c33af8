import { rowOf } from './neighbors.js';
import { type Outline, ValueFlag } from './outline.js';
import type { Modules } from './picture.js';

/** Totals of a module. */
export interface ModuleFigures {
  readonly nodes: number;
  /** The count of each operator, most frequent first; operators are indices into the outline's strings. */
  readonly operators: readonly (readonly [operator: number, count: number])[];
  /** Number of elements in the initializers and constants that it reads, each counted once. */
  readonly parameters: number;
  /** Number of modules with the same structure, including this one. */
  readonly alike: number;
}

export function figuresOf(outline: Outline, modules: Modules, module: number): ModuleFigures {
  const { nodes, values, strings } = outline;
  const counts = new Map<number, number>();
  const weights = new Set<number>();
  let total = 0;
  for (let node = 0; node < nodes.count; node++) {
    if (!isIn(modules, modules.ofNode[node] as number, module)) continue;
    total++;
    const operator = nodes.operator[node] as number;
    counts.set(operator, (counts.get(operator) ?? 0) + 1);
    for (const value of rowOf(nodes.inputs, node))
      if (value >= 0 && isWeight(values.flags[value] as number)) weights.add(value);
  }
  let parameters = 0;
  for (const value of weights) parameters += elementsOf(strings[values.type[value] as number] ?? '');
  const alike = modules.alike.filter((each) => each === modules.alike[module]).length;
  return { nodes: total, operators: [...counts].sort((one, other) => other[1] - one[1]), parameters, alike };
}

const isWeight = (flags: number): boolean => (flags & (ValueFlag.initializer | ValueFlag.constant)) !== 0;

/** Whether module `inner` is `outer` or inside it; outer modules have lower indices. */
function isIn({ parent }: Modules, inner: number, outer: number): boolean {
  let at = inner;
  while (at > outer) at = parent[at] as number;
  return at === outer;
}

/** `float32[64, 3, 7, 7]` has 9408 elements; a type without numeric dimensions has none. */
export function elementsOf(type: string): number {
  const dims = /\[(.*)\]$/.exec(type)?.[1];
  if (dims === undefined) return 0;
  const sizes = dims.split(',').map((dim) => (dim.trim() === '' ? 1 : Number(dim)));
  const count = sizes.reduce((product, size) => product * size, 1);
  return Number.isFinite(count) ? count : 0;
}
