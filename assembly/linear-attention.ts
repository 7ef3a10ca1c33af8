import { ceilDiv } from './ceil-div';
import { loadLanes, storeLanes } from './lanes';
import { madd } from './math/madd';
import { scratch } from './program';

/** Columns of the state in a tile. */
export const enum LinearAttentionTile {
  Columns = 16,
}

/**
 * Linear attention as a recurrence. Each key-value head has a state S [keySize][valueSize]; every step computes
 *
 *     S ← diag(decay)·S,  δ = β·(v − Sᵀk) or v,  S ← S + k·δᵀ,  o = scale·Sᵀq  for each query head of the group.
 *
 * q and y are [batch][length][heads][keySize and valueSize], k and v [batch][length][kvHeads][…]. decay (the factors, not their logarithms)
 * is [batch][length][kvHeads][keySize] or, if `decaySize` is 1, [batch][length][kvHeads]; beta is [batch][length][betaHeads], betaHeads 1
 * or kvHeads; decay and beta may be 0. past and present [batch][kvHeads][keySize][valueSize] may be 0 and may be the same. keySize is at
 * most 16384: the scratch block holds S.
 * A tile is 16 columns of S: tiles = batch · kvHeads · ceil(valueSize / 16).
 */
@unmanaged
export class LinearAttentionParams {
  q: usize = 0;
  k: usize = 0;
  v: usize = 0;
  past: usize = 0;
  decay: usize = 0;
  beta: usize = 0;
  y: usize = 0;
  present: usize = 0;
  batch: i32 = 0;
  length: i32 = 0;
  heads: i32 = 0;
  kvHeads: i32 = 0;
  keySize: i32 = 0;
  valueSize: i32 = 0;
  decaySize: i32 = 0;
  betaHeads: i32 = 0;
  scale: f32 = 1;
}

const WIDTH: usize = LinearAttentionTile.Columns * 4;

export function linearAttention(p: LinearAttentionParams, begin: i32, end: i32): void {
  const strips = ceilDiv(p.valueSize, LinearAttentionTile.Columns);
  for (let tile = begin; tile < end; tile++) {
    const head = tile / strips;
    const first = (tile - head * strips) * LinearAttentionTile.Columns;
    if (first + LinearAttentionTile.Columns <= p.valueSize) recur(p, head, first, 0);
    else for (let c = first; c < p.valueSize; c += 4) recur(p, head, c, min(4, p.valueSize - c));
  }
}

/** Runs the recurrence on columns `first`… of the state of `head` (an index over batch · kvHeads): 16, or `lanes` ≤ 4 if that is not 0. */
function recur(p: LinearAttentionParams, head: i32, first: i32, lanes: i32): void {
  const batch = head / p.kvHeads;
  const own = head - batch * p.kvHeads;
  const column = <usize>first << 2;
  const keyRow = <usize>p.keySize << 2;
  const valueRow = <usize>p.valueSize << 2;
  const queries = p.heads / p.kvHeads;
  const width = lanes ? <usize>16 : WIDTH;
  const block = <usize>head * p.keySize * valueRow + column;

  let state = scratch, pitch = width;
  if (p.past) {
    state = p.past + block;
    pitch = valueRow;
  } else memory.fill(scratch, 0, <usize>p.keySize * width);
  for (let t = 0; t < p.length; t++) {
    const step = <usize>(batch * p.length + t);
    const at = step * p.kvHeads + own;
    const k = p.k + at * keyRow;
    const decay = p.decay ? p.decay + at * (<usize>p.decaySize << 2) : 0;
    const rate = step * p.betaHeads + (p.betaHeads > 1 ? <usize>own : 0);
    const beta = p.beta ? p.beta + (rate << 2) : 0;
    const q = p.q + (step * p.heads + own * queries) * keyRow;
    const y = p.y + (step * p.heads + own * queries) * valueRow + column;
    const isLast = t == p.length - 1 && p.present != 0;
    const to = isLast ? p.present + block : scratch;
    const toPitch = isLast ? valueRow : width;
    const v = p.v + at * valueRow + column;
    if (lanes) step4(p, state, pitch, to, toPitch, k, v, decay, beta, q, y, lanes);
    else step16(p, state, pitch, to, toPitch, k, v, decay, beta, q, y);
    state = to;
    pitch = toPitch;
    for (let h = 1; h < queries; h++) {
      const more = <usize>h;
      if (lanes) read4(p, state, pitch, q + more * keyRow, y + more * valueRow, lanes);
      else read16(p, state, pitch, q + more * keyRow, y + more * valueRow);
    }
  }
  if (p.length == 0 && p.present) {
    for (let d = 0; d < p.keySize; d++)
      memory.copy(p.present + block + <usize>d * valueRow, state + <usize>d * pitch, lanes ? <usize>lanes << 2 : WIDTH);
  }
}

/** The factor of row d: from decay [keySize] if `each`, else from decay [1], or 1 without decay. */
@inline
function factor(decay: usize, each: bool, d: usize): f32 {
  return each ? load<f32>(decay + d) : decay ? load<f32>(decay) : 1;
}

/**
 * One step on 16 columns: reads the decayed state for k, then decays, writes and reads S in one pass, so that S is loaded twice and stored
 * once. Two rows at a time give eight independent sums.
 */
function step16(
  p: LinearAttentionParams,
  from: usize,
  pitch: usize,
  to: usize,
  toPitch: usize,
  k: usize,
  v: usize,
  decay: usize,
  beta: usize,
  q: usize,
  y: usize,
): void {
  const rows = <usize>p.keySize << 2;
  const each = decay != 0 && p.decaySize > 1;
  let d0 = v128.load(v), d1 = v128.load(v, 16), d2 = v128.load(v, 32), d3 = v128.load(v, 48);
  if (beta) {
    let a0 = f32x4.splat(0);
    let a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0;
    let s = from;
    let d: usize = 0;
    for (; d + 4 < rows; d += 8) {
      const even = f32x4.splat(load<f32>(k + d) * factor(decay, each, d));
      a0 = madd(v128.load(s), even, a0);
      a1 = madd(v128.load(s, 16), even, a1);
      a2 = madd(v128.load(s, 32), even, a2);
      a3 = madd(v128.load(s, 48), even, a3);
      s += pitch;
      const odd = f32x4.splat(load<f32>(k + d, 4) * factor(decay, each, d + 4));
      b0 = madd(v128.load(s), odd, b0);
      b1 = madd(v128.load(s, 16), odd, b1);
      b2 = madd(v128.load(s, 32), odd, b2);
      b3 = madd(v128.load(s, 48), odd, b3);
      s += pitch;
    }
    if (d < rows) {
      const even = f32x4.splat(load<f32>(k + d) * factor(decay, each, d));
      a0 = madd(v128.load(s), even, a0);
      a1 = madd(v128.load(s, 16), even, a1);
      a2 = madd(v128.load(s, 32), even, a2);
      a3 = madd(v128.load(s, 48), even, a3);
    }
    const rate = v128.load32_splat(beta);
    d0 = f32x4.mul(rate, f32x4.sub(d0, f32x4.add(a0, b0)));
    d1 = f32x4.mul(rate, f32x4.sub(d1, f32x4.add(a1, b1)));
    d2 = f32x4.mul(rate, f32x4.sub(d2, f32x4.add(a2, b2)));
    d3 = f32x4.mul(rate, f32x4.sub(d3, f32x4.add(a3, b3)));
  }
  let o0 = f32x4.splat(0);
  let o1 = o0, o2 = o0, o3 = o0;
  for (let d: usize = 0; d < rows; d += 4, from += pitch, to += toPitch) {
    const key = v128.load32_splat(k + d);
    const query = v128.load32_splat(q + d);
    let s0 = v128.load(from), s1 = v128.load(from, 16), s2 = v128.load(from, 32), s3 = v128.load(from, 48);
    if (decay) {
      const kept = f32x4.splat(factor(decay, each, d));
      s0 = f32x4.mul(s0, kept);
      s1 = f32x4.mul(s1, kept);
      s2 = f32x4.mul(s2, kept);
      s3 = f32x4.mul(s3, kept);
    }
    s0 = madd(key, d0, s0);
    s1 = madd(key, d1, s1);
    s2 = madd(key, d2, s2);
    s3 = madd(key, d3, s3);
    v128.store(to, s0);
    v128.store(to, s1, 16);
    v128.store(to, s2, 32);
    v128.store(to, s3, 48);
    o0 = madd(s0, query, o0);
    o1 = madd(s1, query, o1);
    o2 = madd(s2, query, o2);
    o3 = madd(s3, query, o3);
  }
  storeScaled(p, y, o0, o1, o2, o3);
}

/** Reads the state for one more query. */
function read16(p: LinearAttentionParams, state: usize, pitch: usize, q: usize, y: usize): void {
  let o0 = f32x4.splat(0);
  let o1 = o0, o2 = o0, o3 = o0;
  for (let end = q + (<usize>p.keySize << 2); q < end; q += 4, state += pitch) {
    const query = v128.load32_splat(q);
    o0 = madd(v128.load(state), query, o0);
    o1 = madd(v128.load(state, 16), query, o1);
    o2 = madd(v128.load(state, 32), query, o2);
    o3 = madd(v128.load(state, 48), query, o3);
  }
  storeScaled(p, y, o0, o1, o2, o3);
}

@inline
function storeScaled(p: LinearAttentionParams, y: usize, o0: v128, o1: v128, o2: v128, o3: v128): void {
  const scale = f32x4.splat(p.scale);
  v128.store(y, f32x4.mul(o0, scale));
  v128.store(y, f32x4.mul(o1, scale), 16);
  v128.store(y, f32x4.mul(o2, scale), 32);
  v128.store(y, f32x4.mul(o3, scale), 48);
}

/** step16 on `lanes` ≤ 4 columns. */
function step4(
  p: LinearAttentionParams,
  from: usize,
  pitch: usize,
  to: usize,
  toPitch: usize,
  k: usize,
  v: usize,
  decay: usize,
  beta: usize,
  q: usize,
  y: usize,
  lanes: i32,
): void {
  const rows = <usize>p.keySize << 2;
  const each = decay != 0 && p.decaySize > 1;
  let delta = loadLanes(v, lanes);
  if (beta) {
    let held = f32x4.splat(0);
    let s = from;
    for (let d: usize = 0; d < rows; d += 4, s += pitch)
      held = madd(loadLanes(s, lanes), f32x4.splat(load<f32>(k + d) * factor(decay, each, d)), held);
    delta = f32x4.mul(v128.load32_splat(beta), f32x4.sub(delta, held));
  }
  let o = f32x4.splat(0);
  for (let d: usize = 0; d < rows; d += 4, from += pitch, to += toPitch) {
    const kept = f32x4.mul(loadLanes(from, lanes), f32x4.splat(factor(decay, each, d)));
    const s = madd(v128.load32_splat(k + d), delta, kept);
    storeLanes(to, s, lanes);
    o = madd(s, v128.load32_splat(q + d), o);
  }
  storeLanes(y, f32x4.mul(o, f32x4.splat(p.scale)), lanes);
}

function read4(p: LinearAttentionParams, state: usize, pitch: usize, q: usize, y: usize, lanes: i32): void {
  let o = f32x4.splat(0);
  for (let end = q + (<usize>p.keySize << 2); q < end; q += 4, state += pitch)
    o = madd(loadLanes(state, lanes), v128.load32_splat(q), o);
  storeLanes(y, f32x4.mul(o, f32x4.splat(p.scale)), lanes);
}
