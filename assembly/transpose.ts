import { copyRun } from './copy-run';
import { scratch } from './program';

/** Rows done together: a cache line of floats of each source column, so each line is read once. */
const BLOCK_ROWS: usize = 16;
/** Columns that are collected in scratch if the rows of y would compete for the same cache sets. */
const STAGED_COLUMNS: usize = 64;
const STAGED_STEP: usize = STAGED_COLUMNS * 16 + 16;

@inline
function transposeWords(y: usize, yStep: usize, x: usize, xStep: usize): void {
  const a = v128.load(x);
  const b = v128.load(x + xStep);
  const c = v128.load(x + 2 * xStep);
  const d = v128.load(x + 3 * xStep);
  const abLow = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
  const abHigh = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
  const cdLow = v128.shuffle<i32>(c, d, 0, 4, 1, 5);
  const cdHigh = v128.shuffle<i32>(c, d, 2, 6, 3, 7);
  v128.store(y, v128.shuffle<i64>(abLow, cdLow, 0, 2));
  v128.store(y + yStep, v128.shuffle<i64>(abLow, cdLow, 1, 3));
  v128.store(y + 2 * yStep, v128.shuffle<i64>(abHigh, cdHigh, 0, 2));
  v128.store(y + 3 * yStep, v128.shuffle<i64>(abHigh, cdHigh, 1, 3));
}

@inline
function transposeHalves(y: usize, yStep: usize, x: usize, xStep: usize): void {
  const ab = v128.load_lane<i64>(x + xStep, v128.load64_zero(x), 1);
  const cd = v128.load_lane<i64>(x + 3 * xStep, v128.load64_zero(x + 2 * xStep), 1);
  const low = v128.shuffle<i16>(ab, cd, 0, 4, 8, 12, 1, 5, 9, 13);
  const high = v128.shuffle<i16>(ab, cd, 2, 6, 10, 14, 3, 7, 11, 15);
  v128.store_lane<i64>(y, low, 0);
  v128.store_lane<i64>(y + yStep, low, 1);
  v128.store_lane<i64>(y + 2 * yStep, high, 0);
  v128.store_lane<i64>(y + 3 * yStep, high, 1);
}

@inline
function transposeBytes(y: usize, yStep: usize, x: usize, xStep: usize): void {
  const ab = v128.load_lane<i32>(x + xStep, v128.load32_zero(x), 1);
  const abc = v128.load_lane<i32>(x + 2 * xStep, ab, 2);
  const abcd = v128.load_lane<i32>(x + 3 * xStep, abc, 3);
  const rows = v128.shuffle<i8>(abcd, abcd, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  v128.store_lane<i32>(y, rows, 0);
  v128.store_lane<i32>(y + yStep, rows, 1);
  v128.store_lane<i32>(y + 2 * yStep, rows, 2);
  v128.store_lane<i32>(y + 3 * yStep, rows, 3);
}

/** Transposes four elements of each of four columns. */
@inline
function transpose4x4<S>(y: usize, yStep: usize, x: usize, xStep: usize): void {
  if (sizeof<S>() == 4) transposeWords(y, yStep, x, xStep);
  else if (sizeof<S>() == 2) transposeHalves(y, yStep, x, xStep);
  else if (sizeof<S>() == 1) transposeBytes(y, yStep, x, xStep);
  else scalarBlock<S>(y, yStep, x, xStep, 4, 4);
}

@inline
function interleave2(y: usize, x: usize, xStep: usize): void {
  const a = v128.load(x);
  const b = v128.load(x + xStep);
  v128.store(y, v128.shuffle<i32>(a, b, 0, 4, 1, 5));
  v128.store(y, v128.shuffle<i32>(a, b, 2, 6, 3, 7), 16);
}

@inline
function deinterleave2(y: usize, yStep: usize, x: usize): void {
  const a = v128.load(x);
  const b = v128.load(x, 16);
  v128.store(y, v128.shuffle<i32>(a, b, 0, 2, 4, 6));
  v128.store(y + yStep, v128.shuffle<i32>(a, b, 1, 3, 5, 7));
}

/** Interleaves three planes, four rows at a time, such as the pixels of an image. */
@inline
function interleave3(y: usize, x: usize, xStep: usize): void {
  const a = v128.load(x);
  const b = v128.load(x + xStep);
  const c = v128.load(x + 2 * xStep);
  const ab = v128.shuffle<i32>(a, b, 0, 4, 1, 5);
  const ab2 = v128.shuffle<i32>(a, b, 2, 6, 3, 7);
  v128.store(y, v128.shuffle<i32>(ab, c, 0, 1, 4, 2));
  v128.store(y + 16, v128.shuffle<i64>(v128.shuffle<i32>(ab, c, 3, 5, 3, 5), ab2, 0, 2));
  v128.store(y + 32, v128.shuffle<i32>(c, ab2, 2, 6, 7, 3));
}

/** Splits dense triples into three planes, four columns at a time. */
@inline
function deinterleave3(y: usize, yStep: usize, x: usize): void {
  const a = v128.load(x);
  const b = v128.load(x, 16);
  const c = v128.load(x, 32);
  v128.store(y, v128.shuffle<i32>(v128.shuffle<i32>(a, b, 0, 3, 6, 6), c, 0, 1, 2, 5));
  v128.store(y + yStep, v128.shuffle<i32>(v128.shuffle<i32>(a, b, 1, 4, 7, 7), c, 0, 1, 2, 6));
  v128.store(y + 2 * yStep, v128.shuffle<i32>(v128.shuffle<i32>(a, b, 2, 5, 5, 5), c, 0, 1, 4, 7));
}

@inline
function scalarBlock<S>(y: usize, yStep: usize, x: usize, xStep: usize, rows: usize, columns: usize): void {
  for (let c: usize = 0; c < columns; c++) {
    for (let r: usize = 0; r < rows; r++) store<S>(y + r * yStep + c * sizeof<S>(), load<S>(x + r * sizeof<S>() + c * xStep));
  }
}

@inline
function vectorBlock<S>(y: usize, yStep: usize, x: usize, xStep: usize, rows: usize, columns: usize): void {
  const size = sizeof<S>();
  const whole = rows & ~3;
  let c: usize = 0;
  for (; c + 4 <= columns; c += 4) {
    const from = x + c * xStep;
    const to = y + c * size;
    for (let r: usize = 0; r < whole; r += 4) transpose4x4<S>(to + r * yStep, yStep, from + r * size, xStep);
    if (whole < rows) scalarBlock<S>(to + whole * yStep, yStep, from + whole * size, xStep, rows - whole, 4);
  }
  if (c < columns) scalarBlock<S>(y + c * size, yStep, x + c * xStep, xStep, rows, columns - c);
}

/** Collects columns first where rows of y are a multiple of 4 KiB apart and share a cache set (10 against 26 GB/s at 1024²). */
function stagedBlock<S>(y: usize, yStep: usize, x: usize, xStep: usize, rows: usize, columns: usize): void {
  const stage = scratch;
  for (let c: usize = 0; c < columns; c += STAGED_COLUMNS) {
    const width = min(STAGED_COLUMNS, columns - c);
    const to = y + c * sizeof<S>();
    vectorBlock<S>(stage, STAGED_STEP, x + c * xStep, xStep, rows, width);
    for (let r: usize = 0; r < rows; r++) copyRun<S>(to + r * yStep, stage + r * STAGED_STEP, width);
  }
}

/** y[row·yStep + column] = x[column·xStep + row]; the steps are in bytes. */
export function transposePlane<S>(
  y: usize, yStep: usize, x: usize, xStep: usize, rows: usize, columns: usize,
): void {
  if (sizeof<S>() == 4) {
    if (columns == 2 && yStep == 8) for (; rows >= 4; rows -= 4, x += 16, y += 32) interleave2(y, x, xStep);
    else if (columns == 3 && yStep == 12) for (; rows >= 4; rows -= 4, x += 16, y += 48) interleave3(y, x, xStep);
    else if (rows == 2 && xStep == 8) for (; columns >= 4; columns -= 4, x += 32, y += 16) deinterleave2(y, yStep, x);
    else if (rows == 3 && xStep == 12) for (; columns >= 4; columns -= 4, x += 48, y += 16) deinterleave3(y, yStep, x);
  }
  for (let r: usize = 0; r < rows; r += BLOCK_ROWS) {
    const block = min(BLOCK_ROWS, rows - r);
    const to = y + r * yStep;
    const from = x + r * sizeof<S>();
    if ((yStep & 4095) == 0) stagedBlock<S>(to, yStep, from, xStep, block, columns);
    else vectorBlock<S>(to, yStep, from, xStep, block, columns);
  }
}
