const LINE: usize = 64;

/** Brings `rows` of as many bytes into the nearest cache, from memory ahead of who reads them; what it returns means nothing, but has to be used. */
@inline
export function fetch(at: usize, rowBytes: usize, rows: i32, bytes: usize): v128 {
  let read = i64x2.splat(0);
  for (; rows; rows--, at += rowBytes) {
    for (let i: usize = 0; i < bytes; i += LINE) read = v128.or(read, v128.load(at + i));
  }
  return read;
}
