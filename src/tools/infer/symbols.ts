import { formatSize, hasUnnamed, type Size } from '../../graph/sizes.js';
import type { Dim } from '../../graph/types.js';

/** Writes a size as a model's dimension: an expression of its own names, or a name that it has not used. */
export type WriteSize = (size: Size) => Dim;

/** A function other than `min` and `max` has no notation that others read. */
const CALL = /[^+\-*(,⌈⌊](?<!\bmin|\bmax)\(/;

/** `taken` are the names that stand anywhere in the model. */
export function sizeWriter(taken: ReadonlySet<string>): WriteSize {
  const fresh = new Map<Size, string>();
  let count = 0;
  const free = (): string => {
    for (;;) {
      const name = `unk__${count++}`;
      if (!taken.has(name)) return name;
    }
  };
  return (size) => {
    if (typeof size === 'number') return size;
    const text = formatSize(size);
    if (!hasUnnamed(size) && !CALL.test(text)) return text;
    const name = fresh.get(size) ?? free();
    fresh.set(size, name);
    return name;
  };
}
