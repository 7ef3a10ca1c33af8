/** Copies `count` elements between runs that do not overlap. */
@inline
export function copyRun<S>(y: usize, x: usize, count: usize): void {
  const bytes = count * sizeof<S>();
  // memory.copy takes about 20 ns before its first byte.
  if (bytes > 512) {
    memory.copy(y, x, bytes);
    return;
  }
  const end = y + bytes;
  for (const vectors = y + (bytes & ~15); y < vectors; y += 16, x += 16) v128.store(y, v128.load(x));
  for (; y < end; y += sizeof<S>(), x += sizeof<S>()) store<S>(y, load<S>(x));
}

/** Sets `count` elements to the one at `x`. */
@inline
export function fillRun<S>(y: usize, x: usize, count: usize): void {
  const bytes = count * sizeof<S>();
  const end = y + bytes;
  const value = load<S>(x);
  if (sizeof<S>() < 16) {
    const repeated = v128.splat<S>(value);
    for (const vectors = y + (bytes & ~15); y < vectors; y += 16) v128.store(y, repeated);
  }
  for (; y < end; y += sizeof<S>()) store<S>(y, value);
}

/** Copies `count` elements; the steps are in bytes. */
@inline
export function stridedRun<S>(y: usize, yStep: usize, x: usize, xStep: usize, count: usize): void {
  for (; count > 0; count--, y += yStep, x += xStep) store<S>(y, load<S>(x));
}
