import { formatSize, hasUnnamed, type Size } from '../../graph/sizes.js';
import type { Dim } from '../../graph/types.js';

/** Writes a size as a dimension: an expression of the model's names, or an unused name. */
export type WriteSize = (size: Size) => Dim;

/** A call of a function other than `min` and `max`, for which there is no common notation. */
const CALL = /[^+\-*(,⌈⌊](?<!\bmin|\bmax)\(/;

/** Makes a writer of sizes. `taken`: all dimension names in the model. */
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
