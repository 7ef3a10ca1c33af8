import { ceilDiv } from '../../ceil-div';
import { scratch } from '../../program';
import { CachedAttentionParams, CachedAttentionPart, CachedAttentionTile, CacheStorage } from './params';
import { AnyHalves, Bytes, Floats, Halves, isBytes, isHalves } from './kind';
import { at, headOf, memberBytes, membersOf, partOf, resultOf, rowOf } from './places';
import { score } from './score';
import { addMask, capScores, DECAYS, hideScores, roundWeights, SUMS, softmaxStep, TOPS } from './softmax';
import { sum } from './sum';

/** The most keys in one step of the online softmax: sums of 128 products of a 16-bit weight and a byte fit 32 bits. */
const KEYS: i32 = 32;

/** Keys in one step. With twice as many, prefetched values have left the L1 cache before they are used (10.3 ms instead of 9.2). */
@inline
function keysOf<T>(): i32 {
  return isBytes<T>() ? KEYS : 16;
}

/** Members that share the loads of keys and values. */
const UNIT: i32 = 4;

/** Float16 is widened without the factor 2¹¹². Factors before the sums (on queries and weights) make up 2⁶⁰, factors on the sums 2⁵². */
const BEFORE: f32 = 1152921504606846976;
const BEHIND: f32 = 4503599627370496;

/** Infinity in float16 without its sign, shifted left by one bit. Larger values are NaN. */
const INFINITE: i32 = 0xf800;

// Layout of the scratch block. Units are one after the other.
const SCORES: usize = 0;
const PAIRS: usize = SCORES + ((<usize>KEYS + 2) << 4);
const UNITS: usize = PAIRS + ((<usize>KEYS + 2) << 3);
const FROM: usize = 48;
const UNTIL: usize = 64;
const FACTORS: usize = 80;
const WORTHS: usize = 96;
/** Largest bits found in the last step. Stored so that prefetching loads count as used. */
const MET: usize = 112;
const UNIT_BYTES: usize = 128;
const QUERIES: usize = 4096;
const MAX_SIZE: usize = 2048;
const OUTPUTS: usize = QUERIES + <usize>CachedAttentionTile.Members * MAX_SIZE * 4;

export function cachedAttention(p: CachedAttentionParams, begin: i32, end: i32): void {
  const members = membersOf(p);
  const blocks = ceilDiv(members, CachedAttentionTile.Members);
  for (let tile = begin; tile < end; tile++) {
    const block = tile / p.splits, split = tile % p.splits;
    const shared = block / blocks;
    const first = (block % blocks) * CachedAttentionTile.Members;
    const count = min(<i32>CachedAttentionTile.Members, members - first);
    const part = p.splits > 1 ? partOf(p, tile) : 0;
    if (p.storage == CacheStorage.Float32) attend<Floats>(p, shared, first, count, split, part);
    else if (p.storage == CacheStorage.Int8) attend<Bytes>(p, shared, first, count, split, part);
    else if (!attend<Halves>(p, shared, first, count, split, part)) attend<AnyHalves>(p, shared, first, count, split, part);
  }
}

/**
 * Computes members first … first + count of the key head `shared` (an index over batch · kvHeads) on the keys of a split, into y or the
 * tile's part. Returns false if float16 values were found that `T` excludes.
 */
function attend<T>(p: CachedAttentionParams, shared: i32, first: i32, count: i32, split: i32, part: usize): bool {
  const batch = shared / p.kvHeads, head = shared % p.kvHeads;
  const shift: usize = isBytes<T>() ? 0 : isFloat<T>() ? 2 : 1;
  const kRow = (<usize>p.kRowStride) << shift, vRow = (<usize>p.vRowStride) << shift;
  const k = at(p.k, batch, p.kBatchStride, head, p.kHeadStride, shift);
  const v = at(p.v, batch, p.vBatchStride, head, p.vHeadStride, shift);
  let from = i32.MAX_VALUE, until = 0;
  for (let i = 0; i < count; i += UNIT) {
    for (let lane = i; lane < i + UNIT; lane++) beginMember<T>(p, batch, head, first + lane, lane < count, lane, p.sinks != 0 && split == 0);
  }
  for (let i = 0; i < count; i++) {
    from = min(from, load<i32>(laneOf(i), FROM));
    until = max(until, load<i32>(laneOf(i), UNTIL));
  }
  if (part) {
    from = max(from, split * CachedAttentionTile.Keys);
    until = min(until, (split + 1) * CachedAttentionTile.Keys);
  }
  memory.fill(scratch + OUTPUTS, 0, <usize>count * ((<usize>p.valueSize) << 2));
  for (let key = from; key < until; key += keysOf<T>()) {
    const keys = min(keysOf<T>(), until - key);
    for (let i = 0; i < count; i += UNIT) {
      if (!step<T>(p, batch, head, first + i, i, min(UNIT, count - i), key, keys, k + <usize>key * kRow, kRow, v + <usize>key * vRow, vRow)) {
        return false;
      }
    }
  }
  for (let i = 0; i < count; i++) {
    if (part) storeMember<T>(p, i, part);
    else endMember<T>(p, batch, head, first + i, i);
  }
  return true;
}

/** Initializes a member: the keys it sees, and its query in the form that the products read. A lane without a member gets scores of 0. */
function beginMember<T>(p: CachedAttentionParams, batch: i32, shared: i32, member: i32, exists: bool, place: i32, hasSinks: bool): void {
  const lane = laneOf(place);
  store<f32>(lane, f32.NEGATIVE_INFINITY, TOPS);
  store<f32>(lane, 0, SUMS);
  store<i32>(lane, 0, FROM);
  store<i32>(lane, i32.MAX_VALUE, UNTIL);
  store<f32>(lane, 0, FACTORS);
  if (!exists) return;
  const head = headOf(p, shared, member), row = rowOf(p, member);
  const keys = p.keyLengths ? min(p.keyLength, load<i32>(p.keyLengths + ((<usize>batch) << 2))) : p.keyLength;
  const offset = p.keyLengths ? load<i32>(p.keyLengths + ((<usize>batch) << 2)) - p.queryLength : p.causalOffset;
  const until = p.causal ? min(keys, row + offset + 1) : keys;
  store<i32>(lane, max(0, until), UNTIL);
  if (p.causal && p.window) store<i32>(lane, max(0, row + offset + 1 - p.window), FROM);
  if (hasSinks) {
    store<f32>(lane, load<f32>(p.sinks + ((<usize>head) << 2)), TOPS);
    store<f32>(lane, 1, SUMS);
  }
  const q = at(p.q, batch, p.qBatchStride, head, p.qHeadStride, 2) + ((<usize>row * p.qRowStride) << 2);
  const to = scratch + QUERIES + <usize>place * ((<usize>p.headSize) << 2);
  if (isBytes<T>()) store<f32>(lane, roundQuery(q, to, p.headSize) * p.scale, FACTORS);
  else {
    scaleQuery(q, to, p.headSize, isHalves<T>() ? p.scale * BEFORE : p.scale);
    store<f32>(lane, isHalves<T>() ? BEHIND : 1, FACTORS);
  }
}

function scaleQuery(q: usize, to: usize, size: i32, scale: f32): void {
  const factor = f32x4.splat(scale);
  for (let i: usize = 0; i < (<usize>size) << 2; i += 16) v128.store(to + i, f32x4.mul(v128.load(q + i), factor));
}

/** Rounds a query to 16-bit integers; returns their scale. */
function roundQuery(q: usize, to: usize, size: i32): f32 {
  let most = f32x4.splat(0);
  const end = (<usize>size) << 2;
  for (let i: usize = 0; i < end; i += 16) most = f32x4.max(most, f32x4.abs(v128.load(q + i)));
  most = f32x4.max(most, v128.shuffle<i32>(most, most, 2, 3, 0, 1));
  most = f32x4.max(most, v128.shuffle<i32>(most, most, 1, 0, 3, 2));
  const factor = f32x4.div(f32x4.splat(32767), most);
  for (let i: usize = 0; i < end; i += 32) {
    const a = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(q + i), factor)));
    const b = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(v128.load(q + i, 16), factor)));
    v128.store(to + (i >> 1), i16x8.narrow_i32x4_s(a, b));
  }
  return f32x4.extract_lane(most, 0) / 32767;
}

/** One step of the online softmax for one unit. */
function step<T>(
  p: CachedAttentionParams,
  batch: i32,
  shared: i32,
  first: i32,
  place: i32,
  members: i32,
  key: i32,
  keys: i32,
  k: usize,
  kRow: usize,
  v: usize,
  vRow: usize,
): bool {
  const unit = scratch + UNITS + <usize>(place / UNIT) * UNIT_BYTES;
  const scores = scratch + SCORES;
  const yPitch = (<usize>p.valueSize) << 2;
  const q = scratch + QUERIES + <usize>place * ((<usize>p.headSize) << 2);
  let met = score<T>(members, q, (<usize>p.headSize) << 2, k, kRow, keys, p.headSize, scores, v128.load(unit, FACTORS), v, vRow, yPitch);
  if (p.softcap) capScores(scores, keys, p.softcap);
  if (p.mask) for (let i = 0; i < members; i++) addMask(scores + ((<usize>i) << 2), keys, maskOf(p, batch, shared, first + i, key), (<usize>p.maskColumnStride) << 2);
  const from = v128.load(unit, FROM), until = v128.load(unit, UNTIL);
  const isWhole = v128.and(i32x4.le_s(from, i32x4.splat(key)), i32x4.ge_s(until, i32x4.splat(key + keys)));
  if (!i32x4.all_true(isWhole)) hideScores(scores, keys, key, from, until);
  softmaxStep(unit, scores, keys, isHalves<T>() ? BEFORE : 1);
  if (isBytes<T>()) v128.store(unit, roundWeights(scores, keys, scratch + PAIRS, v + <usize>p.valueSize, vRow), WORTHS);
  const y = scratch + OUTPUTS + <usize>place * yPitch;
  met = i16x8.max_u(met, sum<T>(members, y, yPitch, unit + DECAYS, unit + WORTHS, isBytes<T>() ? scratch + PAIRS : scores, v, vRow, keys, p.valueSize));
  v128.store(unit, met, MET);
  return !isHalves<T>() || !v128.any_true(i16x8.ge_u(met, i16x8.splat(<i16>INFINITE)));
}

function maskOf(p: CachedAttentionParams, batch: i32, shared: i32, member: i32, key: i32): usize {
  const own = at(p.mask, batch, p.maskBatchStride, headOf(p, shared, member), p.maskHeadStride, 2);
  return own + ((<usize>rowOf(p, member) * p.maskRowStride + <usize>key * p.maskColumnStride) << 2);
}

/** Stores a member's part; parts are one after the other from `parts` on. */
function storeMember<T>(p: CachedAttentionParams, place: i32, parts: usize): void {
  const lane = laneOf(place), part = parts + <usize>place * memberBytes(p);
  store<f32>(part, load<f32>(lane, TOPS), CachedAttentionPart.Top);
  store<f32>(part, load<f32>(lane, SUMS), CachedAttentionPart.Sum);
  storeScaled(place, p.valueSize, isHalves<T>() ? BEHIND : 1, part + CachedAttentionPart.Values);
}

/** Divides by the sums; a row that saw no key is 0. */
function endMember<T>(p: CachedAttentionParams, batch: i32, shared: i32, member: i32, place: i32): void {
  const total = load<f32>(laneOf(place), SUMS);
  const inverse: f32 = total == 0 ? 0 : 1 / total;
  storeScaled(place, p.valueSize, isHalves<T>() ? BEHIND * inverse : inverse, resultOf(p, batch, shared, member));
}

@inline
function laneOf(place: i32): usize {
  return scratch + UNITS + <usize>(place / UNIT) * UNIT_BYTES + ((<usize>(place % UNIT)) << 2);
}

function storeScaled(place: i32, size: i32, scale: f32, to: usize): void {
  const bytes = (<usize>size) << 2;
  const from = scratch + OUTPUTS + <usize>place * bytes, factor = f32x4.splat(scale);
  for (let i: usize = 0; i < bytes; i += 16) v128.store(to + i, f32x4.mul(v128.load(from + i), factor));
}
