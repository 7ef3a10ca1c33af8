import { ceilDiv } from '../ceil-div';
import { scratch } from '../program';
import { Activations, activationsOf } from './activations';
import { addLeft, anyLeft } from './n-bit-exact';
import { multiplyMeanings } from './n-bit-meanings';
import { multiplyPairs, PAIR_ROWS } from './n-bit-pairs';
import { NBitProductParams, NBitTile } from './n-bit-params';
import { MAX_DEPTH, multiplyQuads, quadRows, unpackCodes } from './n-bit-quads';
import { multiplyRow } from './n-bit-row';
import { ROW_BYTES } from './n-bit-scaling';
import { NBitPanel } from './pack-n-bit';

export function nBitProduct(p: NBitProductParams, begin: i32, end: i32): void {
  const panels = ceilDiv(p.n, NBitPanel.Columns);
  const columnTiles = ceilDiv(panels, p.tilePanels);
  for (let tile = begin; tile < end; tile++) {
    const row = (tile / columnTiles) * NBitTile.Rows;
    const rows = min<i32>(NBitTile.Rows, p.m - row);
    const first = (tile % columnTiles) * p.tilePanels;
    const last = min(first + p.tilePanels, panels);
    const left = anyLeft(p, row / p.perRow, (row + rows - 1) / p.perRow + 1);
    for (let panel = first; panel < last; panel++) multiplyPanel(p, panel, row, row + rows, left);
  }
}

/** Multiplies rows with a panel of the matrix that each row chooses. */
function multiplyChosen(p: NBitProductParams, panel: i32, row: i32, end: i32, left: bool): void {
  const form = activationsOf(p.narrow, p.quads, p.bits);
  const panels = p.n / NBitPanel.Columns;
  for (; row < end; row++) {
    const choice = load<i32>(p.choices + (<usize>row << 3));
    multiplyOne(form, p, choice * panels + panel, row / p.perRow);
    if (left) addLeft(p, choice * panels + panel, row / p.perRow, 1);
    finishRow(p, panel, row, scratch, choice * p.n);
  }
}

function multiplyPanel(p: NBitProductParams, panel: i32, row: i32, end: i32, left: bool): void {
  if (p.choices) return multiplyChosen(p, panel, row, end, left);
  const form = activationsOf(p.narrow, p.quads, p.bits);
  if (p.isExact) row = panelOfFloats(p, panel, row, end);
  else if (form <= Activations.BytePairs) row = panelOfPairs(form, p, panel, row, end, left);
  // Blocks that are not quantized are added to one row at a time, because they overwrite the codes that quads have unpacked.
  else if (ASC_FEATURE_RELAXED_SIMD && !left) row = panelOfQuads(form, p, panel, row, end);
  for (; row < end; row++) {
    multiplyOne(form, p, panel, row);
    if (left) addLeft(p, panel, row, 1);
    finishRow(p, panel, row, scratch, 0);
  }
}

@inline
function multiplyOne(form: Activations, p: NBitProductParams, panel: i32, row: i32): void {
  if (p.isExact) memory.fill(scratch, 0, ROW_BYTES);
  else if (p.meanings) multiplyMeanings(p, panel, row, 1);
  else multiplyRow(form, p, panel, row);
}

/** Computes rows in groups; returns the first remaining row. */
function panelOfPairs(form: Activations, p: NBitProductParams, panel: i32, row: i32, end: i32, left: bool): i32 {
  for (; row + PAIR_ROWS <= end; row += PAIR_ROWS) {
    if (p.meanings) multiplyMeanings(p, panel, row, PAIR_ROWS);
    else multiplyPairs(form == Activations.BytePairs, p, panel, row);
    if (left) addLeft(p, panel, row, PAIR_ROWS);
    finishRows(p, panel, row, PAIR_ROWS);
  }
  return row;
}

function panelOfFloats(p: NBitProductParams, panel: i32, row: i32, end: i32): i32 {
  for (; row + PAIR_ROWS <= end; row += PAIR_ROWS) {
    memory.fill(scratch, 0, PAIR_ROWS * ROW_BYTES);
    addLeft(p, panel, row, PAIR_ROWS);
    finishRows(p, panel, row, PAIR_ROWS);
  }
  return row;
}

function panelOfQuads(form: Activations, p: NBitProductParams, panel: i32, row: i32, end: i32): i32 {
  const rows = quadRows(form);
  if (row + rows > end || p.blocks * p.split * p.block > MAX_DEPTH) return row;
  unpackCodes(p, panel);
  for (; row + rows <= end; row += rows) {
    multiplyQuads(form, p, panel, row);
    finishRows(p, panel, row, rows);
  }
  return row;
}

function finishRows(p: NBitProductParams, panel: i32, row: i32, rows: i32): void {
  for (let i = 0; i < rows; i++) finishRow(p, panel, row + i, scratch + <usize>i * ROW_BYTES, 0);
}

/** Writes a row's sums to the result, plus the bias from index `first` on; the last panel may be narrower. */
function finishRow(p: NBitProductParams, panel: i32, row: i32, sums: usize, first: i32): void {
  const column = panel * NBitPanel.Columns;
  const columns = min<i32>(NBitPanel.Columns, p.n - column);
  const y = p.y + ((<usize>row * <usize>p.n + <usize>column) << 2);
  const bias = p.bias ? p.bias + ((<usize>(first + column)) << 2) : 0;
  if (columns == NBitPanel.Columns) {
    let low = v128.load(sums), high = v128.load(sums, 16);
    if (bias) {
      low = f32x4.add(low, v128.load(bias));
      high = f32x4.add(high, v128.load(bias, 16));
    }
    v128.store(y, low);
    v128.store(y, high, 16);
    return;
  }
  for (let i: usize = 0; i < <usize>columns << 2; i += 4) {
    store<f32>(y + i, bias ? load<f32>(sums + i) + load<f32>(bias + i) : load<f32>(sums + i));
  }
}
