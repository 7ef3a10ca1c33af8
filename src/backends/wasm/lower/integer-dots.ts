import type { Engine } from '../../../../bindings/engine.js';
import { IntegerDots, IntegerResult, IntegerTile } from '../../../../build/quantized-kernels.js';

const [ROWS, DEPTH] = [6, 64];
const SUMS_BYTES = 4 * ROWS * IntegerTile.Panel;

/** Extremes of both signs: sums of two products overflow 16 bits. */
const left = (i: number) => [255, 255, 128, 0, 127, 1, 200][i % 7] as number;
const right = (i: number) => [127, 127, -128, 127, -1, -128, -128, 5][i % 8] as number;

/** The exact element (row, column) of the product of these operands. */
function expected(row: number, column: number): number {
  let sum = 0;
  for (let k = 0; k < DEPTH; k++) sum += left(row * DEPTH + k) * right(k * IntegerTile.Panel + column);
  return sum;
}

const unused = {
  xZero: 0,
  xZeroStep: 0,
  wZero: 0,
  wZeroStep: 0,
  scale: 0,
  scaleStep: 0,
  bias: 0,
  yZero: 0,
  ySigned: 0,
};
const oneMatrix = {
  ...{ outer: 1, inner: 1, aOuterStride: 0, aInnerStride: 0, bOuterStride: 0, bInnerStride: 0 },
  ...{ yOuterStride: 0, yInnerStride: 0, low: 0, high: 0 },
};

function isExact(engine: Engine, dots: IntegerDots): boolean {
  const [m, n, k] = [ROWS, IntegerTile.Panel, DEPTH];
  const bytes = (m + n) * k + IntegerTile.PanelHead + n * k + SUMS_BYTES;
  const a = engine.allocate(bytes);
  const [w, y, b] = [a + m * k, a + (m + n) * k, a + (m + n) * k + SUMS_BYTES];
  for (let i = 0; i < m * k; i++) engine.u8[a + i] = left(i);
  for (let i = 0; i < n * k; i++) engine.u8[w + i] = right(i);
  const strides = { taps: 1, channels: k, tapStride: 0, channelStride: n, columnStride: 1, matrixStride: 0 };
  engine.launch('packIntegers', { w, packed: b, columns: n, ...strides, group: 4, closed: 0, flip: 0 }, 1);
  const sizes = { dots, m, n, k, aRowStride: k, yRowStride: n, xSigned: 0, wSigned: 1, result: IntegerResult.Integers };
  engine.launch('integerMatMul', { ...unused, ...oneMatrix, ...sizes, a, b, y }, 1);
  let exact = true;
  for (let i = 0; i < m * n; i++) exact &&= engine.i32[y / 4 + i] === expected(Math.floor(i / n), i % n);
  engine.free(a);
  return exact;
}

const probed = new WeakMap<Engine, IntegerDots>();

/** The fastest exact dot products: processors differ in whether relaxed ones take the second operand as signed. */
export function integerDots(engine: Engine): IntegerDots {
  const known = probed.get(engine);
  if (known !== undefined) return known;
  const relaxed = [IntegerDots.Unsigned, IntegerDots.Signed].find((dots) => isExact(engine, dots));
  const dots = relaxed ?? IntegerDots.Pairs;
  probed.set(engine, dots);
  return dots;
}
