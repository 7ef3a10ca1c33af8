const LINE: usize = 64;

/** Prefetches `rows` rows of `bytes` bytes into the L1 cache. The result has no meaning, but must be used so that the loads are kept. */
@inline
export function fetch(at: usize, rowBytes: usize, rows: i32, bytes: usize): v128 {
  let read = i64x2.splat(0);
  for (; rows; rows--, at += rowBytes) {
    for (let i: usize = 0; i < bytes; i += LINE) read = v128.or(read, v128.load(at + i));
  }
  return read;
}
