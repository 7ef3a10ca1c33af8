import { ceilDiv } from '../ceil-div';
import { scratch } from '../program';
import { PANEL } from './panel';
import { alike, CellStep, cellOf, copyOrZero, lengthOf, RecurrentParams, StepPart, stateAt, timeOf } from './sequence';
import { CellState, STATES } from './state';

export const enum RecurrentPhase {
  /** Tiles between two barriers: as many threads have work if a step has enough units. */
  Tiles = 16,
}

/** Units in a block; whole panels of every cell. */
const BLOCK: i32 = PANEL;

/** Indices of the arrays of shared states: 0 and 1 are H of even and odd steps, C is C or z, RESET is r or r ⊙ H. */
const C: i32 = 2;
const RESET: i32 = 3;

@inline
function sharedAt(p: RecurrentParams, s: CellState, array: i32, batch: i32): usize {
  return p.shared + <usize>((array * p.directions + s.direction) * p.batch + batch) * s.pitch;
}

/** Copies units first … end of an initial or last state, or sets them to 0. */
@inline
function copyUnits(to: usize, from: usize, first: i32, end: i32): void {
  const at = (<usize>first) << 2;
  copyOrZero(to + at, from ? from + at : 0, (<usize>(end - first)) << 2);
}

/**
 * Runs tiles of phases: divides the units of all sequences evenly, in blocks that read panels of their own. A step is one phase, or two if
 * its parts are separate.
 */
export function runUnits(
  p: RecurrentParams,
  begin: i32,
  end: i32,
  gateCount: i32,
  areApart: bool,
  initialC: usize,
  lastC: usize,
  step: CellStep,
): void {
  const blocks = ceilDiv(p.hidden, BLOCK);
  const items = p.directions * ceilDiv(p.batch, p.tileRows) * blocks;
  for (let tile = begin, next = begin; tile < end; tile = next) {
    const phase = tile / RecurrentPhase.Tiles, start = phase * RecurrentPhase.Tiles;
    next = min(start + RecurrentPhase.Tiles, end);
    const last = (items * (next - start)) / RecurrentPhase.Tiles;
    for (let item = (items * (tile - start)) / RecurrentPhase.Tiles; item < last; ) {
      const block = item % blocks, count = min(blocks - block, last - item);
      const first = block * BLOCK, behind = min((block + count) * BLOCK, p.hidden);
      const parts = !areApart ? StepPart.All : phase & 1 ? StepPart.Hidden : StepPart.Gates;
      stepUnits(p, item / blocks, areApart ? phase >> 1 : phase, first, behind, parts, gateCount, initialC, lastC, step);
      item += count;
    }
  }
}

/** Runs step `i` of a sequence, or parts of it, for units first … end. */
@inline
function stepUnits(
  p: RecurrentParams,
  sequence: i32,
  i: i32,
  first: i32,
  end: i32,
  parts: i32,
  gateCount: i32,
  initialC: usize,
  lastC: usize,
  step: CellStep,
): void {
  const rowBlocks = ceilDiv(p.batch, p.tileRows);
  const direction = sequence / rowBlocks, row = (sequence % rowBlocks) * p.tileRows;
  const endRow = min(row + p.tileRows, p.batch);
  const s = cellOf(p, direction, gateCount);
  for (let batch = row; batch < endRow; batch += s.rows) {
    s.rows = alike(p, batch, endRow - batch);
    const length = lengthOf(p, batch);
    s.next = sharedAt(p, s, i & 1, batch);
    s.c = sharedAt(p, s, C, batch);
    s.reset = sharedAt(p, s, RESET, batch);
    if (i == 0 && parts & StepPart.Gates) beginCells(p, s, batch, first, end, initialC);
    if (i < length) {
      fetch(p, s, batch, i, parts);
      const gates = p.gates + ((<usize>batch * p.gatesBatchStride + <usize>direction * p.gatesDirectionStride) << 2);
      step(p, s, gates + ((timeOf(p, direction, length, i) * p.gatesStepStride) << 2), first, end, parts);
    }
    if (parts & StepPart.Hidden) write(p, s, batch, i, length, first, end, lastC);
  }
}

/** Initializes C before the first step. */
function beginCells(p: RecurrentParams, s: CellState, batch: i32, first: i32, end: i32, initialC: usize): void {
  for (let row = 0; row < s.rows; row++)
    copyUnits(s.c + <usize>row * s.pitch, stateAt(p, initialC, s.direction, batch + row), first, end);
}

/**
 * Copies states that other threads have written, and that products read, to this thread's own memory: a copy fetches the cache lines of
 * other cores all at once, a product one after another.
 */
function fetch(p: RecurrentParams, s: CellState, batch: i32, i: i32, parts: i32): void {
  const own = scratch + STATES;
  for (let row = 0; row < s.rows; row++) {
    const from = i > 0 ? sharedAt(p, s, (i - 1) & 1, batch + row) : stateAt(p, p.initialH, s.direction, batch + row);
    copyUnits(own + <usize>row * s.pitch, from, 0, p.hidden);
  }
  s.h = own;
  if (parts != StepPart.Hidden) return;
  const room = <usize>s.rows * s.pitch;
  memory.copy(own + room, s.reset, room);
  s.reset = own + room;
}

/** Writes step `i` to y, 0 after the last of `length`; after the last step of all, also the states. */
function write(p: RecurrentParams, s: CellState, batch: i32, i: i32, length: i32, first: i32, end: i32, lastC: usize): void {
  const t = i < length ? timeOf(p, s.direction, length, i) : <usize>i;
  for (let row = 0; row < s.rows; row++) {
    const own = <usize>(batch + row), at = <usize>row * s.pitch;
    const y = p.y + ((own * p.yBatchStride + <usize>s.direction * p.yDirectionStride + t * p.yStepStride) << 2);
    if (p.y) copyUnits(y, i < length ? s.next + at : 0, first, end);
    if (i < p.steps - 1) continue;
    const h = length > 0 ? sharedAt(p, s, (length - 1) & 1, batch + row) : stateAt(p, p.initialH, s.direction, batch + row);
    if (p.lastH) copyUnits(stateAt(p, p.lastH, s.direction, batch + row), h, first, end);
    if (lastC) copyUnits(stateAt(p, lastC, s.direction, batch + row), s.c + at, first, end);
  }
}
