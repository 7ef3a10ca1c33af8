/**
 * The k best values of each row of x [rows, length], best first: values [rows, k] and their int64 indices [rows, k]. Among equal values the
 * lower index is first; NaN counts as the largest value, as in PyTorch. 1 ≤ k ≤ length. A tile is one row; tiles = rows.
 */
@unmanaged
export class TopKParams {
  x: usize = 0;
  values: usize = 0;
  indices: usize = 0;
  rows: i32 = 0;
  length: i32 = 0;
  k: i32 = 0;
  /** 1: the k smallest */
  smallest: i32 = 0;
}

// The k best so far are a heap with the worst on top, in the row's own outputs: values holds order keys as i32.

/** Integers in the order of the floats: −0 equals 0, NaN is above all; complemented if `smallest`. */
@inline
function orderKeys(x: v128, smallest: v128): v128 {
  const bits = v128.bitselect(f32x4.add(x, f32x4.splat(0)), i32x4.splat(0x7fc00000), f32x4.eq(x, x));
  const magnitude = v128.and(i32x4.shr_s(bits, 31), i32x4.splat(i32.MAX_VALUE));
  return v128.xor(v128.xor(bits, magnitude), smallest);
}

@inline
function keyAt(values: usize, i: i32): i32 {
  return load<i32>(values + ((<usize>i) << 2));
}

@inline
function indexAt(indices: usize, i: i32): i32 {
  return load<i32>(indices + ((<usize>i) << 3));
}

@inline
function put(values: usize, indices: usize, i: i32, key: i32, index: i32): void {
  store<i32>(values + ((<usize>i) << 2), key);
  store<i64>(indices + ((<usize>i) << 3), index);
}

@inline
function worse(key: i32, index: i32, otherKey: i32, otherIndex: i32): bool {
  return key < otherKey || (key == otherKey && index > otherIndex);
}

/** Inserts an entry into the heap of `size`, at or below the hole at `i`. */
function sink(values: usize, indices: usize, i: i32, size: i32, key: i32, index: i32): void {
  for (;;) {
    let child = 2 * i + 1;
    if (child >= size) break;
    let childKey = keyAt(values, child);
    let childIndex = indexAt(indices, child);
    if (child + 1 < size) {
      const rightKey = keyAt(values, child + 1);
      const rightIndex = indexAt(indices, child + 1);
      if (worse(rightKey, rightIndex, childKey, childIndex)) {
        child++;
        childKey = rightKey;
        childIndex = rightIndex;
      }
    }
    if (worse(key, index, childKey, childIndex)) break;
    put(values, indices, i, childKey, childIndex);
    i = child;
  }
  put(values, indices, i, key, index);
}

function topOfRow(x: usize, length: i32, values: usize, indices: usize, k: i32, smallest: v128): void {
  for (let i = 0; i < k; i++) {
    put(values, indices, i, i32x4.extract_lane(orderKeys(v128.load32_splat(x + ((<usize>i) << 2)), smallest), 0), i);
  }
  for (let i = k / 2 - 1; i >= 0; i--) {
    sink(values, indices, i, k, keyAt(values, i), indexAt(indices, i));
  }

  let i = k;
  while (i < length) {
    const at = x + ((<usize>i) << 2);
    if (i + 4 <= length) {
      const better = i32x4.gt_s(orderKeys(v128.load(at), smallest), v128.load32_splat(values));
      if (!v128.any_true(better)) {
        i += 4;
        continue;
      }
    }
    const key = i32x4.extract_lane(orderKeys(v128.load32_splat(at), smallest), 0);
    if (key > load<i32>(values)) sink(values, indices, 0, k, key, i);
    i++;
  }

  // Heap sort: moves the worst to the end.
  for (let size = k - 1; size > 0; size--) {
    const key = keyAt(values, size), index = indexAt(indices, size);
    put(values, indices, size, load<i32>(values), load<i32>(indices));
    sink(values, indices, 0, size, key, index);
  }
  for (let i = 0; i < k; i++) {
    const from = x + ((<usize>load<u32>(indices + ((<usize>i) << 3))) << 2);
    store<f32>(values + ((<usize>i) << 2), load<f32>(from));
  }
}

export function topK(p: TopKParams, begin: i32, end: i32): void {
  const smallest = i32x4.splat(-p.smallest);
  for (let row = begin; row < end; row++) {
    const from = (<usize>row * p.length) << 2, to = <usize>row * p.k;
    topOfRow(p.x + from, p.length, p.values + (to << 2), p.indices + (to << 3), p.k, smallest);
  }
}
