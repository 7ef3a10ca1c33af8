import { rowOf } from './neighbors.js';
import type { Outline } from './outline.js';

interface Subject {
  readonly kind: 'node' | 'value' | 'module';
  readonly index: number;
}

/** Finds a node or value in the changed graph: values by name, nodes by what they produce; null if it is gone. */
export function sameIn<S extends Subject>(after: Outline, before: Outline, subject: S): S | null {
  const index = subject.kind === 'value' ? valueIn(after, before, subject.index) : nodeIn(after, before, subject.index);
  return subject.kind === 'module' || index < 0 ? null : { ...subject, index };
}

/** If the number of values is unchanged, a value not found by name was renamed. */
function valueIn(after: Outline, before: Outline, index: number): number {
  const name = before.strings[before.values.name[index] ?? 0];
  const found = after.values.name.findIndex((each) => after.strings[each] === name);
  return found < 0 && after.values.count === before.values.count ? index : found;
}

function nodeIn(after: Outline, before: Outline, index: number): number {
  if (after.nodes.count === before.nodes.count) return index;
  const [made] = rowOf(before.nodes.outputs, index);
  const value = made === undefined || made < 0 ? -1 : valueIn(after, before, made);
  return value < 0 ? -1 : (after.values.producer[value] ?? -1);
}
