import { clamp } from '../math/clamp';
import { scratch } from '../program';
import { gateActivation, RecurrentActivation } from './activation';
import { PANEL, panelsOf } from './panel';

/**
 * The sequential part of a recurrent operator; base of LstmParams, GruParams and RnnParams. The input's part of the gates,
 * X·Wᵀ + Wb + Rb for all steps, comes in `gates`; the kernel adds H·Rᵀ step by step. Strides in elements; the innermost
 * dimension (the gates in ONNX's order, or the units) is contiguous. Pointers may be 0 but for gates and packed.
 * hidden is at most 32768. A tile is one batch row in one direction; tiles = directions · batch.
 *
 * Each batch row has lengths[batch] steps: y is 0 after them, and a reversed direction starts at the last of them. A length
 * outside 0…steps is clamped and sets the word at `flag`.
 */
@unmanaged
export class RecurrentParams {
  /** [steps, batch, directions, gates · hidden] by the gates strides. */
  gates: usize = 0;
  /** R as packRecurrent leaves it. */
  packed: usize = 0;
  /** i32 [batch] */
  lengths: usize = 0;
  flag: usize = 0;
  /** Initial and last state [directions, batch, hidden] by the state strides. */
  initialH: usize = 0;
  lastH: usize = 0;
  /** [steps, directions, batch, hidden] by the y strides. */
  y: usize = 0;
  steps: i32 = 0;
  batch: i32 = 0;
  hidden: i32 = 0;
  directions: i32 = 0;
  /** Bit d: direction d runs from the last step to the first. */
  reversed: i32 = 0;
  gatesStepStride: i32 = 0;
  gatesBatchStride: i32 = 0;
  gatesDirectionStride: i32 = 0;
  yStepStride: i32 = 0;
  yBatchStride: i32 = 0;
  yDirectionStride: i32 = 0;
  stateBatchStride: i32 = 0;
  stateDirectionStride: i32 = 0;
  /** Limit of what f and g are applied to; +∞: none. */
  clip: f32 = f32.POSITIVE_INFINITY;
  f: i32 = RecurrentActivation.Sigmoid;
  fAlpha: f32 = 0;
  fBeta: f32 = 0;
  g: i32 = RecurrentActivation.Tanh;
  gAlpha: f32 = 0;
  gBeta: f32 = 0;
}

/** What a tile works with, at the start of the scratch block; every array has room for whole panels. */
@unmanaged
export class CellState {
  /** The tile's direction and its weights. */
  direction: i32 = 0;
  packed: usize = 0;
  /** H before and after the step. */
  h: usize = 0;
  next: usize = 0;
  /** LSTM: C. GRU: z. */
  c: usize = 0;
  /** GRU: r, or r ⊙ H. */
  reset: usize = 0;
  /** Products of one panel. */
  sums: usize = 0;
}

const STATE: usize = 64;

@inline
export function clipped(p: RecurrentParams, x: v128): v128 {
  return clamp(x, -p.clip, p.clip);
}

@inline
export function activateF(p: RecurrentParams, x: v128): v128 {
  return gateActivation(p.f, p.fAlpha, p.fBeta, clipped(p, x));
}

@inline
export function activateG(p: RecurrentParams, x: v128): v128 {
  return gateActivation(p.g, p.gAlpha, p.gBeta, clipped(p, x));
}

@inline
function copyOrZero(to: usize, from: usize, bytes: usize): void {
  if (from) memory.copy(to, from, bytes);
  else memory.fill(to, 0, bytes);
}

/** Where `tile`'s state lies behind a pointer to initial or last states; 0 stays 0. */
@inline
function stateAt(p: RecurrentParams, base: usize, tile: i32): usize {
  const offset = <usize>(tile % p.batch) * p.stateBatchStride + <usize>(tile / p.batch) * p.stateDirectionStride;
  return base ? base + (offset << 2) : 0;
}

@inline
function lengthOf(p: RecurrentParams, batch: i32): i32 {
  const given = load<i32>(p.lengths + ((<usize>batch) << 2));
  const length = min(max(given, 0), p.steps);
  if (length != given) store<i32>(p.flag, 1);
  return length;
}

/**
 * Runs one direction of one batch row. `step` computes s.next (and s.c) from s.h, one step's gates and the weights;
 * initialC and lastC are 0 but for LSTM.
 */
@inline
export function runSequence<P extends RecurrentParams>(
  p: P,
  tile: i32,
  gateCount: i32,
  initialC: usize,
  lastC: usize,
  step: (p: P, s: CellState, gates: usize) => void,
): void {
  const batch = tile % p.batch, direction = tile / p.batch;
  const bytes = (<usize>p.hidden) << 2;
  const room = (<usize>((p.hidden + PANEL - 1) & ~(PANEL - 1))) << 2;
  const s = changetype<CellState>(scratch);
  s.direction = direction;
  s.packed = p.packed + ((<usize>direction * panelsOf(gateCount, p.hidden) * p.hidden * PANEL) << 2);
  s.sums = scratch + STATE;
  s.h = s.sums + (PANEL << 2);
  s.next = s.h + room;
  s.c = s.next + room;
  s.reset = s.c + room;
  copyOrZero(s.h, stateAt(p, p.initialH, tile), bytes);
  copyOrZero(s.c, stateAt(p, initialC, tile), bytes);

  const length = p.lengths ? lengthOf(p, batch) : p.steps;
  const reversed = (p.reversed >> direction) & 1;
  const gates = p.gates + ((<usize>batch * p.gatesBatchStride + <usize>direction * p.gatesDirectionStride) << 2);
  const y = p.y + ((<usize>batch * p.yBatchStride + <usize>direction * p.yDirectionStride) << 2);
  for (let i = 0; i < length; i++) {
    const t = <usize>(reversed ? length - 1 - i : i);
    step(p, s, gates + ((t * p.gatesStepStride) << 2));
    const h = s.next;
    s.next = s.h;
    s.h = h;
    if (p.y) memory.copy(y + ((t * p.yStepStride) << 2), h, bytes);
  }
  if (p.y) for (let t = length; t < p.steps; t++) memory.fill(y + ((<usize>t * p.yStepStride) << 2), 0, bytes);
  if (p.lastH) memory.copy(stateAt(p, p.lastH, tile), s.h, bytes);
  if (lastC) memory.copy(stateAt(p, lastC, tile), s.c, bytes);
}
