/**
 * Of every class of every image the boxes with the best scores that do not overlap a better one by more than the threshold:
 * boxes [batch][count][4], scores [batch][classes][count]; selected [batch][classes][capacity] are their numbers, best first,
 * counts [batch][classes] how many there are. Boxes are two opposite corners [y, x, y, x], or with `centered` [x, y, width,
 * height]. Equal scores go by number.
 * `limit` (i64), `overlap` and `minimum` (f32) are read from memory; 0: none are selected, overlap 0, any score.
 * `work` has `workBytes` for every tile: NonMaxSuppression.BOX·⌈capacity / 4⌉·4 + NonMaxSuppression.CANDIDATE·count or more.
 * A tile is one class of one image: tiles = batch·classes.
 */
@unmanaged
export class NonMaxSuppressionParams {
  boxes: usize = 0;
  scores: usize = 0;
  limit: usize = 0;
  overlap: usize = 0;
  minimum: usize = 0;
  selected: usize = 0;
  counts: usize = 0;
  work: usize = 0;
  workBytes: i32 = 0;
  classes: i32 = 0;
  count: i32 = 0;
  capacity: i32 = 0;
  centered: i32 = 0;
}

export enum NonMaxSuppression {
  /** Bytes of work for a selected box: edges and area. */
  BOX = 20,
  /** Bytes of work for a box whose score suffices. */
  CANDIDATE = 8,
}

export function nonMaxSuppression(p: NonMaxSuppressionParams, begin: i32, end: i32): void {
  for (let tile = begin; tile < end; tile++) {
    const limit = p.limit ? <i32>min<i64>(max<i64>(load<i64>(p.limit), 0), p.capacity) : 0;
    store<i32>(p.counts + (<usize>tile << 2), limit > 0 ? select(p, tile, limit) : 0);
  }
}

function select(p: NonMaxSuppressionParams, tile: i32, limit: i32): i32 {
  const lines = p.work + <usize>tile * p.workBytes;
  const line = <usize>((p.capacity + 3) & ~3) << 2;
  const heap = lines + 5 * line;
  const scores = p.scores + (<usize>tile * p.count << 2);
  const boxes = p.boxes + (<usize>(tile / p.classes) * p.count << 4);
  const selected = p.selected + (<usize>tile * p.capacity << 2);
  const overlap: f32 = p.overlap ? load<f32>(p.overlap) : 0;
  let size = gatherCandidates(scores, p.count, p.minimum ? load<f32>(p.minimum) : f32.NEGATIVE_INFINITY, heap);
  for (let i = size / 2 - 1; i >= 0; i--) sink(heap, i, size, candidateAt(heap, i));

  let kept = 0;
  while (size > 0 && kept < limit) {
    const box = ~(<i32>candidateAt(heap, 0));
    size--;
    sink(heap, 0, size, candidateAt(heap, size));
    if (!keep(lines, line, kept, boxes + (<usize>box << 4), p.centered, overlap)) continue;
    store<i32>(selected + (<usize>kept << 2), box);
    kept++;
  }
  return kept;
}

/** What orders boxes by score, and by number where scores are equal: larger is better. */
@inline
function candidate(score: f32, box: i32): i64 {
  const bits = reinterpret<i32>(score + 0);
  const ordered = bits ^ ((bits >> 31) & 0x7fffffff);
  return ((<i64>ordered) << 32) | <i64>(<u32>~box);
}

@inline
function candidateAt(heap: usize, i: i32): i64 {
  return load<i64>(heap + (<usize>i << 3));
}

/** Writes the candidates of a score above `minimum`; their number. */
function gatherCandidates(scores: usize, count: i32, minimum: f32, heap: usize): i32 {
  const least = f32x4.splat(minimum);
  let to = heap;
  let i = 0;
  for (; i + 4 <= count; i += 4) {
    const at = scores + (<usize>i << 2);
    let better = i32x4.bitmask(f32x4.gt(v128.load(at), least));
    for (; better; better &= better - 1, to += 8) {
      const lane = ctz(better);
      store<i64>(to, candidate(load<f32>(at + (<usize>lane << 2)), i + lane));
    }
  }
  for (; i < count; i++) {
    const score = load<f32>(scores + (<usize>i << 2));
    if (!(score > minimum)) continue;
    store<i64>(to, candidate(score, i));
    to += 8;
  }
  return <i32>((to - heap) >> 3);
}

/** Puts `value` where it belongs in the heap below `i`, the best at the top. */
function sink(heap: usize, i: i32, size: i32, value: i64): void {
  while (true) {
    let child = 2 * i + 1;
    if (child >= size) break;
    let best = candidateAt(heap, child);
    if (child + 1 < size) {
      const right = candidateAt(heap, child + 1);
      if (right > best) {
        best = right;
        child++;
      }
    }
    if (value >= best) break;
    store<i64>(heap + (<usize>i << 3), best);
    i = child;
  }
  store<i64>(heap + (<usize>i << 3), value);
}

/** Adds the box to the `kept` ones, whose edges and areas stand in five lines, unless it overlaps one of them too much. */
function keep(lines: usize, line: usize, kept: i32, box: usize, centered: i32, overlap: f32): bool {
  const a = load<f32>(box);
  const b = load<f32>(box, 4);
  const c = load<f32>(box, 8);
  const d = load<f32>(box, 12);
  const top = centered ? b - d / 2 : min(a, c);
  const left = centered ? a - c / 2 : min(b, d);
  const bottom = centered ? b + d / 2 : max(a, c);
  const right = centered ? a + c / 2 : max(b, d);
  const area = (bottom - top) * (right - left);

  const tops = f32x4.splat(top);
  const lefts = f32x4.splat(left);
  const bottoms = f32x4.splat(bottom);
  const rights = f32x4.splat(right);
  const areas = f32x4.splat(area);
  const threshold = f32x4.splat(overlap);
  const zero = f32x4.splat(0);
  const end = lines + (<usize>((kept + 3) & ~3) << 2);
  for (let at = lines; at < end; at += 16) {
    const heights = f32x4.sub(
      f32x4.pmin(bottoms, v128.load(at + 2 * line)),
      f32x4.pmax(tops, v128.load(at)),
    );
    const widths = f32x4.sub(
      f32x4.pmin(rights, v128.load(at + 3 * line)),
      f32x4.pmax(lefts, v128.load(at + line)),
    );
    const meet = v128.and(f32x4.gt(heights, zero), f32x4.gt(widths, zero));
    if (!v128.any_true(meet)) continue;
    const shared = f32x4.mul(heights, widths);
    const union = f32x4.sub(f32x4.add(areas, v128.load(at + 4 * line)), shared);
    const over = f32x4.gt(shared, f32x4.mul(threshold, union));
    if (v128.any_true(v128.and(meet, over))) return false;
  }

  const at = lines + (<usize>kept << 2);
  // A new group of four begins as boxes without area.
  if (!(kept & 3)) for (let i: usize = 0; i < 5; i++) v128.store(at + i * line, zero);
  store<f32>(at, top);
  store<f32>(at + line, left);
  store<f32>(at + 2 * line, bottom);
  store<f32>(at + 3 * line, right);
  store<f32>(at + 4 * line, area);
  return true;
}
