import { ceilDiv } from '../ceil-div';
import { clamp } from '../math/clamp';
import { scratch } from '../program';
import { gateActivation, RecurrentActivation } from './activation';
import { PANEL, panelsOf } from './panel';
import { CellState, STATES } from './state';

/**
 * The sequential part of a recurrent operator; base of LstmParams, GruParams and RnnParams. `gates` holds the input's part of the gates,
 * X·Wᵀ + Wb + Rb for all steps; the kernel adds H·Rᵀ step by step. Strides are in elements; the innermost dimension (the gates in ONNX's
 * order, or the units) is contiguous. Pointers other than gates and packed may be 0. A sequence is `tileRows` batch rows in one direction,
 * at most RecurrentTile.Rows, which read the weights together. It is a tile; tiles = directions · ceil(batch / tileRows). With `shared`
 * states (units.ts), each step is one phase or more of RecurrentPhase.Tiles tiles, which divide the units of all sequences. hidden ·
 * tileRows is at most 32768.
 *
 * Each batch row has lengths[batch] steps: y is 0 after them, and a reversed direction starts at the last of them. A length outside 0…steps
 * is clamped and sets the word at `flag`.
 */
@unmanaged
export class RecurrentParams {
  /** [steps, batch, directions, gates · hidden] by the gates strides. */
  gates: usize = 0;
  /** R, packed by packRecurrent. */
  packed: usize = 0;
  /** i32 [batch] */
  lengths: usize = 0;
  flag: usize = 0;
  /** Initial and last state [directions, batch, hidden] by the state strides. */
  initialH: usize = 0;
  lastH: usize = 0;
  /** States that threads share: [4] × [directions, batch, room for whole panels]; or 0. */
  shared: usize = 0;
  /** [steps, directions, batch, hidden] by the y strides. */
  y: usize = 0;
  steps: i32 = 0;
  batch: i32 = 0;
  hidden: i32 = 0;
  directions: i32 = 0;
  tileRows: i32 = 1;
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
  /** Clips the arguments of f and g; +∞: none. */
  clip: f32 = f32.POSITIVE_INFINITY;
  f: i32 = RecurrentActivation.Sigmoid;
  fAlpha: f32 = 0;
  fBeta: f32 = 0;
  g: i32 = RecurrentActivation.Tanh;
  gAlpha: f32 = 0;
  gBeta: f32 = 0;
}

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
export function copyOrZero(to: usize, from: usize, bytes: usize): void {
  if (from) memory.copy(to, from, bytes);
  else memory.fill(to, 0, bytes);
}

/** Address of a batch row's state in initial or last states; 0 if `base` is 0. */
@inline
export function stateAt(p: RecurrentParams, base: usize, direction: i32, batch: i32): usize {
  const offset = <usize>batch * p.stateBatchStride + <usize>direction * p.stateDirectionStride;
  return base ? base + (offset << 2) : 0;
}

@inline
export function lengthOf(p: RecurrentParams, batch: i32): i32 {
  if (!p.lengths) return p.steps;
  const given = load<i32>(p.lengths + ((<usize>batch) << 2));
  const length = min(max(given, 0), p.steps);
  if (length != given) store<i32>(p.flag, 1);
  return length;
}

/** The number of batch rows, up to `rows` from `first` on, that have as many steps as the first. */
export function alike(p: RecurrentParams, first: i32, rows: i32): i32 {
  let count = 1;
  while (count < rows && lengthOf(p, first + count) == lengthOf(p, first)) count++;
  return count;
}

/** Parts of a step: GRU's r must be complete before h can begin. */
export const enum StepPart {
  Gates = 1,
  Hidden = 2,
  All = 3,
}

/** Computes units first … end of a step, or of parts of it. */
export type CellStep = (p: RecurrentParams, s: CellState, gates: usize, first: i32, end: i32, parts: i32) => void;

/** Initializes the state of a direction's cells, except the pointers to its arrays. */
@inline
export function cellOf(p: RecurrentParams, direction: i32, gateCount: i32): CellState {
  const s = changetype<CellState>(scratch);
  s.direction = direction;
  s.packed = p.packed + ((<usize>direction * panelsOf(gateCount, p.hidden) * p.hidden * PANEL) << 2);
  s.pitch = (<usize>((p.hidden + PANEL - 1) & ~(PANEL - 1))) << 2;
  return s;
}

/** The row of X for step `i` of `length`. */
@inline
export function timeOf(p: RecurrentParams, direction: i32, length: i32, i: i32): usize {
  return <usize>((p.reversed >> direction) & 1 ? length - 1 - i : i);
}

/**
 * Runs a sequence; batch rows of the same length run together. `step` computes the units first … end of s.next (and s.c) from s.h, one
 * step's gates and the weights, or a part of that; initialC and lastC are 0 except for LSTM.
 */
export function runSequence(
  p: RecurrentParams,
  tile: i32,
  gateCount: i32,
  initialC: usize,
  lastC: usize,
  step: CellStep,
): void {
  const blocks = ceilDiv(p.batch, p.tileRows);
  const direction = tile / blocks, first = (tile % blocks) * p.tileRows;
  const end = min(first + p.tileRows, p.batch);
  const bytes = (<usize>p.hidden) << 2;
  const s = cellOf(p, direction, gateCount);
  for (let batch = first; batch < end; batch += s.rows) {
    s.rows = alike(p, batch, end - batch);
    const room = <usize>s.rows * s.pitch;
    s.h = scratch + STATES;
    s.next = s.h + room;
    s.c = s.next + room;
    s.reset = s.c + room;
    for (let row = 0; row < s.rows; row++) {
      copyOrZero(s.h + <usize>row * s.pitch, stateAt(p, p.initialH, direction, batch + row), bytes);
      copyOrZero(s.c + <usize>row * s.pitch, stateAt(p, initialC, direction, batch + row), bytes);
    }
    const length = lengthOf(p, batch);
    const gates = p.gates + ((<usize>batch * p.gatesBatchStride + <usize>direction * p.gatesDirectionStride) << 2);
    const y = p.y + ((<usize>batch * p.yBatchStride + <usize>direction * p.yDirectionStride) << 2);
    for (let i = 0; i < length; i++) {
      const t = timeOf(p, direction, length, i);
      step(p, s, gates + ((t * p.gatesStepStride) << 2), 0, p.hidden, StepPart.All);
      const h = s.next;
      s.next = s.h;
      s.h = h;
      if (p.y) writeStep(p, s, y, t);
    }
    for (let row = 0; row < s.rows; row++) {
      const own = y + ((<usize>row * p.yBatchStride) << 2), at = <usize>row * s.pitch;
      if (p.y) for (let t = length; t < p.steps; t++) memory.fill(own + ((<usize>t * p.yStepStride) << 2), 0, bytes);
      if (p.lastH) memory.copy(stateAt(p, p.lastH, direction, batch + row), s.h + at, bytes);
      if (lastC) memory.copy(stateAt(p, lastC, direction, batch + row), s.c + at, bytes);
    }
  }
}

function writeStep(p: RecurrentParams, s: CellState, y: usize, t: usize): void {
  for (let row = 0; row < s.rows; row++) {
    const to = y + ((<usize>row * p.yBatchStride + t * p.yStepStride) << 2);
    memory.copy(to, s.h + <usize>row * s.pitch, (<usize>p.hidden) << 2);
  }
}
