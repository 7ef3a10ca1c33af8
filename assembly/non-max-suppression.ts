/**
 * Selects, for each class of each image, the boxes with the best scores that overlap no better selected box by more than the threshold.
 * boxes [batch][count][4], scores [batch][classes][count]; selected [batch][classes][capacity] receives box indices, best first, and counts
 * [batch][classes] their number. Boxes are two opposite corners [y, x, y, x], or with `centered` [x, y, width, height]. Among equal scores,
 * the lower index is first. `limit` (i64), `overlap` and `minimum` (f32) are pointers; 0 means none selected, overlap 0 and any score.
 * `work` has `workBytes` for every tile, a multiple of 16: NonMaxSuppression.WORK + NonMaxSuppression.BLOCK·⌈capacity / 4⌉ +
 * NonMaxSuppression.CANDIDATE·count or more.
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

export const enum NonMaxSuppression {
  /** Bins of selected boxes, by their left edges: a box is compared only with those that it may overlap. */
  BINS = 64,
  /** Bytes of work for four selected boxes of one bin: edges and areas, the offset of the previous block, and the number of boxes. */
  BLOCK = 96,
  /** Bytes of work besides the boxes: the bins, and a partly filled block for each. */
  WORK = 6688,
  /** Bytes of work for a box with a sufficient score. */
  CANDIDATE = 8,
}

export function nonMaxSuppression(p: NonMaxSuppressionParams, begin: i32, end: i32): void {
  for (let tile = begin; tile < end; tile++) {
    const limit = p.limit ? <i32>min<i64>(max<i64>(load<i64>(p.limit), 0), p.capacity) : 0;
    store<i32>(p.counts + (<usize>tile << 2), limit > 0 ? select(p, tile, limit) : 0);
  }
}

function select(p: NonMaxSuppressionParams, tile: i32, limit: i32): i32 {
  const work = p.work + <usize>tile * p.workBytes;
  const w = changetype<Work>(work);
  const heap = work + BLOCKS + <usize>(((p.capacity + 3) >> 2) + NonMaxSuppression.BINS) * NonMaxSuppression.BLOCK;
  const scores = p.scores + (<usize>tile * p.count << 2);
  const boxes = p.boxes + (<usize>(tile / p.classes) * p.count << 4);
  const selected = p.selected + (<usize>tile * p.capacity << 2);
  const overlap: f32 = p.overlap ? load<f32>(p.overlap) : 0;
  let size = gatherCandidates(scores, p.count, p.minimum ? load<f32>(p.minimum) : f32.NEGATIVE_INFINITY, heap);
  spreadBins(w, heap, size, boxes, p.centered);
  for (let i = size / 2 - 1; i >= 0; i--) sink(heap, i, size, candidateAt(heap, i));

  let kept = 0;
  while (size > 0 && kept < limit) {
    const box = ~(<i32>candidateAt(heap, 0));
    size--;
    sink(heap, 0, size, candidateAt(heap, size));
    readEdges(w, boxes + (<usize>box << 4), p.centered);
    if (overlaps(w, overlap)) continue;
    insert(w);
    store<i32>(selected + (<usize>kept << 2), box);
    kept++;
  }
  return kept;
}

/** A key that orders boxes by score, and by index among equal scores; larger is better. */
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

/** Writes the candidates with a score above `minimum`; returns their number. */
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

/** Inserts `value` into the heap at or below `i`; the best is at the top. */
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

/** Header of a tile's work; words of the bins and their blocks follow. */
@unmanaged
class Work {
  /** The current box. */
  top: f32 = 0;
  left: f32 = 0;
  bottom: f32 = 0;
  right: f32 = 0;
  area: f32 = 0;
  /** Left end of the first bin, and bins per unit of length. */
  origin: f32 = 0;
  density: f32 = 0;
  /** Offset of the free space for blocks. */
  free: u32 = 0;
}

/** Two words for each bin: the offset of its last block (0: none), and its furthest right edge. */
const LAST: usize = 32;
const FURTHEST: usize = LAST + NonMaxSuppression.BINS * 4;
const BLOCKS: usize = FURTHEST + NonMaxSuppression.BINS * 4;

function readEdges(w: Work, box: usize, centered: i32): void {
  const a = load<f32>(box);
  const b = load<f32>(box, 4);
  const c = load<f32>(box, 8);
  const d = load<f32>(box, 12);
  w.top = centered ? b - d / 2 : min(a, c);
  w.left = centered ? a - c / 2 : min(b, d);
  w.bottom = centered ? b + d / 2 : max(a, c);
  w.right = centered ? a + c / 2 : max(b, d);
  w.area = (w.bottom - w.top) * (w.right - w.left);
}

/** Empties the bins, and spreads them over the left edges of the candidates. */
function spreadBins(w: Work, heap: usize, size: i32, boxes: usize, centered: i32): void {
  let first = f32.POSITIVE_INFINITY;
  let last = f32.NEGATIVE_INFINITY;
  for (let i = 0; i < size; i++) {
    readEdges(w, boxes + (<usize>~(<i32>candidateAt(heap, i)) << 4), centered);
    if (w.left < first) first = w.left;
    if (w.left > last) last = w.left;
  }
  w.origin = first;
  w.density = <f32>NonMaxSuppression.BINS / (last - first);
  w.free = <u32>BLOCKS;
  memory.fill(changetype<usize>(w) + LAST, 0, BLOCKS - LAST);
}

/** The bin of x; never decreases as x grows. 0 for NaN. */
@inline
function binOf(w: Work, x: f32): i32 {
  const at = (x - w.origin) * w.density;
  return at < <f32>NonMaxSuppression.BINS ? (at > 0 ? <i32>at : 0) : at == at ? NonMaxSuppression.BINS - 1 : 0;
}

/** Whether the current box overlaps a selected one by more than the threshold. */
function overlaps(w: Work, threshold: f32): bool {
  const work = changetype<usize>(w);
  const lefts = f32x4.splat(w.left);
  const end = work + ((<usize>binOf(w, w.right) >> 2) << 4);
  for (let bins = work; bins <= end; bins += 16) {
    let near = i32x4.bitmask(f32x4.gt(v128.load(bins + FURTHEST), lefts));
    for (; near; near &= near - 1) {
      for (let block = load<u32>(bins + LAST + (<usize>ctz(near) << 2)); block; block = load<u32>(work + block, 80)) {
        if (overlapsOneOf(w, work + block, threshold)) return true;
      }
    }
  }
  return false;
}

@inline
function overlapsOneOf(w: Work, block: usize, threshold: f32): bool {
  const zero = f32x4.splat(0);
  const heights = f32x4.sub(
    f32x4.pmin(f32x4.splat(w.bottom), v128.load(block, 32)),
    f32x4.pmax(f32x4.splat(w.top), v128.load(block)),
  );
  const widths = f32x4.sub(
    f32x4.pmin(f32x4.splat(w.right), v128.load(block, 48)),
    f32x4.pmax(f32x4.splat(w.left), v128.load(block, 16)),
  );
  const meet = v128.and(f32x4.gt(heights, zero), f32x4.gt(widths, zero));
  if (!v128.any_true(meet)) return false;
  const shared = f32x4.mul(heights, widths);
  const union = f32x4.sub(f32x4.add(f32x4.splat(w.area), v128.load(block, 64)), shared);
  const over = f32x4.gt(f32x4.div(shared, union), f32x4.splat(threshold));
  return v128.any_true(v128.and(meet, over));
}

/** Adds the current box to its bin. */
function insert(w: Work): void {
  const work = changetype<usize>(w);
  const bin = work + (<usize>binOf(w, w.left) << 2);
  const last = <usize>load<u32>(bin + LAST);
  const isFull = last == 0 || load<i32>(work + last, 84) == 4;
  const block = work + (isFull ? addBlock(w, bin, last) : last);
  const count = load<i32>(block, 84);
  const lane = block + (<usize>count << 2);
  store<f32>(lane, w.top);
  store<f32>(lane, w.left, 16);
  store<f32>(lane, w.bottom, 32);
  store<f32>(lane, w.right, 48);
  store<f32>(lane, w.area, 64);
  store<i32>(block, count + 1, 84);
  if (last == 0 || w.right > load<f32>(bin + FURTHEST)) store<f32>(bin + FURTHEST, w.right);
}

/** Adds a block to a bin, filled with boxes without area; returns its offset. */
function addBlock(w: Work, bin: usize, last: usize): usize {
  const block = <usize>w.free;
  w.free += NonMaxSuppression.BLOCK;
  memory.fill(changetype<usize>(w) + block, 0, NonMaxSuppression.BLOCK);
  store<u32>(changetype<usize>(w) + block, <u32>last, 80);
  store<u32>(bin + LAST, <u32>block);
  return block;
}
