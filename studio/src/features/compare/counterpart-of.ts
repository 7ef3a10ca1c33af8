import { rowOf } from '../../graph/neighbors.js';
import type { Outline } from '../../graph/outline.js';
import type { Modules } from '../../graph/picture.js';
import type { Subject } from '../../store/workspace.js';

export interface Side {
  readonly outline: Outline;
  readonly modules: Modules;
}

/** The same part of the other graph: nodes by match, values by the nodes that produce them, modules by path. */
export function counterpartOf({ kind, index }: Subject, from: Side, to: Side, nodes: Int32Array): Subject | null {
  const found =
    kind === 'node'
      ? (nodes[index] ?? -1)
      : kind === 'module'
        ? to.modules.path.indexOf(from.modules.path[index] ?? '')
        : sameValue(index, from.outline, to.outline, nodes);
  return found < 0 ? null : { kind, index: found };
}

function sameValue(value: number, from: Outline, to: Outline, nodes: Int32Array): number {
  const producer = from.values.producer[value] ?? -1;
  if (producer < 0) return namedOrPlaced(value, from, to);
  const node = nodes[producer] ?? -1;
  const place = rowOf(from.nodes.outputs, producer).indexOf(value);
  return node < 0 ? -1 : (rowOf(to.nodes.outputs, node)[place] ?? -1);
}

/** Matches a weight by name, and an input by position if its name differs. */
function namedOrPlaced(value: number, from: Outline, to: Outline): number {
  const name = from.strings[from.values.name[value] as number];
  const named = to.values.name.findIndex((each) => to.strings[each] === name);
  const place = from.inputs.indexOf(value);
  return named < 0 && place >= 0 && from.inputs.length === to.inputs.length ? (to.inputs[place] as number) : named;
}

/** The inverse of a node mapping; -1 for nodes without a counterpart. */
export function inverse(nodes: Int32Array, count: number): Int32Array {
  const back = new Int32Array(count).fill(-1);
  nodes.forEach((other, node) => {
    if (other >= 0) back[other] = node;
  });
  return back;
}

/** The display name of a part of a graph. */
export function nameOf({ kind, index }: Subject, { outline: { strings, nodes, values }, modules }: Side): string {
  if (kind === 'module') return modules.path[index] ?? '';
  if (kind === 'value') return strings[values.name[index] ?? 0] ?? '';
  return strings[nodes.name[index] ?? 0] || strings[nodes.operator[index] ?? 0] || '';
}
