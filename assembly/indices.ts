/** Index `i` of a list of 4- or 8-byte indices. Negative ones count from `dim`; one out of range is clamped and sets the word at `flag`. */
@inline
export function indexAt(indices: usize, i: usize, indexBytes: i32, dim: u32, flag: usize): usize {
  let index = indexBytes == 8 ? load<i64>(indices + (i << 3)) : <i64>load<i32>(indices + (i << 2));
  const bound = <i64>dim;
  if (index < 0) index += bound;
  if (index < 0 || index >= bound) {
    store<i32>(flag, 1);
    index = index < 0 ? 0 : bound - 1;
  }
  return <usize>index;
}
