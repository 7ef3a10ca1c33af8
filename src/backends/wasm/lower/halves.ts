// Products and convolutions whose weights stay in halves, loaded with models that have such. The lowerings that are always there
// are given, not imported: a script that shared them with the first would divide what every page loads, 2.6 kB more.
import type { Place } from '../../../../bindings/place.js';
import { FewRows, MatMulTile, WideningRoom, WideningTile } from '../../../../build/quantized-kernels.js';
import type { Size } from '../../../graph/sizes.js';
import type { EpilogueAttributes } from '../../../primitives/epilogue.js';
import type { ProductParameters } from '../../../primitives/matmul.js';
import type { StoredTensor } from '../../../tensor/stored-tensor.js';
import type { Lower, Lowering, Lowerings } from '../lowering.js';
import type { OpenConv } from './conv-algorithm.js';
import type { OfFloats } from './of-floats.js';

export { quantized as kernelSet } from '../../../../bindings/quantized.js';

type BySize = Lowering<unknown, Size>;

const WEIGHTS = 1;
const ROW_BYTES = 16;

/** Panels [groups][ceil(columns / 8)][taps][channels][8], and where their weights lie. */
interface Panels {
  readonly columns: number;
  readonly channels: number;
  readonly taps: number;
  readonly groupStride: number;
  readonly tapStride: number;
  readonly channelStride: number;
  readonly columnStride: number;
}

/** Rows of all panels of weights. */
const rowsOf = ({ columns, channels, taps }: Panels, groups: number): number =>
  groups * Math.ceil(columns / MatMulTile.Panel) * taps * channels;

/** Weights some of which are infinite, NaN, or 64 and more, and how their packing says so. */
const unfit = new WeakSet<StoredTensor>();
const UNFIT = new Error('weights that no panel of halves holds');

function pack({ engine }: BySize, w: number, packed: number, panels: Panels, tiles: number): void {
  const word = engine.allocate(4);
  engine.i32[word / 4] = 0;
  engine.launch('packHalves', { w, packed, unfit: word, ...panels }, tiles);
  const isUnfit = engine.i32[word / 4] !== 0;
  engine.free(word);
  if (isUnfit) throw UNFIT;
}

/** The weights in halves; undefined where they are kept in floats, or must become such. */
function packedHalves(c: BySize, panels: Panels, groups = 1): Place | undefined {
  const kept = c.kept(WEIGHTS);
  if (kept?.type !== 'float16' || unfit.has(kept) || !('packHalves' in c.engine.kernelIndex)) return undefined;
  const form = `halves ${groups} ${Object.values(panels)}`;
  const tiles = groups * Math.ceil(panels.columns / MatMulTile.Panel);
  try {
    const bytes = ROW_BYTES * rowsOf(panels, groups);
    return c.packed(WEIGHTS, form, bytes, (w, packed) => pack(c, w, packed, panels, tiles), { from: kept });
  } catch (error) {
    if (error !== UNFIT) throw error;
    unfit.add(kept);
    return undefined;
  }
}

/** Rows [m, k] by a matrix of weights. */
interface Product {
  readonly m: Size;
  readonly n: number;
  readonly k: number;
  readonly isTransposed: boolean;
}

/** Columns that a tile of many rows may have. */
const mostColumns = (k: number) =>
  MatMulTile.Panel * Math.floor(WideningRoom.Bytes / (4 * MatMulTile.Panel * Math.max(k, 1)));

/** Whether the product was launched: by weights in halves. */
function multiplied(
  c: BySize,
  { ceilDivide, derived, epilogueOf, multiply, productTiles }: OfFloats,
  { m, n, k, isTransposed }: Product,
  epilogue: EpilogueAttributes,
): boolean {
  if (mostColumns(k) === 0) return false;
  const [channelStride, columnStride] = isTransposed ? [1, k] : [n, 1];
  const b = packedHalves(c, {
    ...{ columns: n, channels: k, taps: 1 },
    ...{ groupStride: 0, tapStride: 0, channelStride, columnStride },
  });
  if (!b) return false;
  const params = {
    ...{ ...epilogueOf(c, epilogue), a: c.input(0), b, y: c.output(0), m, n, k, outer: 1, inner: 1 },
    ...{ aRowStride: k, aColumnStride: 1, yRowStride: n, residualRowStride: n },
    ...{ aOuterStride: 0, bOuterStride: 0, yOuterStride: 0, residualOuterStride: 0 },
    ...{ aInnerStride: 0, bInnerStride: 0, yInnerStride: 0, residualInnerStride: 0, biasInnerStride: 0 },
  };
  const { tileColumns: wanted } = productTiles(params);
  const tileColumns = derived('columns of halves', [m, wanted], (rows, columns) =>
    rows <= FewRows.Most ? columns : Math.min(columns, mostColumns(k)),
  );
  const tiles = multiply(ceilDivide(m, MatMulTile.Rows), ceilDivide(n, tileColumns));
  c.launch('halfProduct', { ...params, tileColumns }, tiles, { writes: [params.y] });
  return true;
}

const productBy =
  (floats: OfFloats): Lower<ProductParameters, unknown, Size> =>
  (c, parameters) => {
    const { isSame, matrixOf, lowerProduct, product } = floats;
    const { transA, transB, alpha } = parameters;
    const b = c.shape(WEIGHTS);
    if (c.kept(WEIGHTS)?.type !== 'float16') return lowerProduct(c, parameters);
    const isMatrix = isSame(product(b.slice(0, -2)), 1);
    const [k, n] = matrixOf(b, 'right', transB !== 0) as [number, number];
    const own = { m: product(c.shape(0).slice(0, -1)), n, k, isTransposed: transB !== 0 };
    const isServed = isMatrix && !transA && alpha === 1 && multiplied(c, floats, own, parameters);
    return isServed ? undefined : lowerProduct(c, parameters);
  };

/** Whether a convolution was launched: by weights in halves, which each run widens. */
function convolved(c: BySize, floats: OfFloats, parameters: OpenConv): boolean {
  const { mergedGroups, convolveDirectly } = floats;
  const { group, channels: all, outChannels, windows } = parameters;
  if (mergedGroups(group, outChannels) !== 1) return false;
  const taps = windows.reduce((all, { kernel }) => all * kernel, 1);
  const [channels, columns] = [all / group, outChannels / group];
  const panels = {
    ...{ columns, channels, taps, groupStride: columns * channels * taps },
    ...{ tapStride: 1, channelStride: taps, columnStride: channels * taps },
  };
  const halves = packedHalves(c, panels, group);
  if (!halves) return false;
  const rows = rowsOf(panels, group);
  const wide = c.temporary(2 * ROW_BYTES * rows);
  const tiles = Math.ceil(rows / WideningTile.Rows);
  c.launch('widenHalves', { halves, floats: wide, rows }, tiles, { writes: [wide] });
  convolveDirectly(c, parameters, group, wide);
  return true;
}

const convolutionBy =
  (floats: OfFloats): Lower<OpenConv, unknown, Size> =>
  (c, parameters) => {
    const { algorithmFor, asPlanes, direct, isSame, lowerConvolution, pointwise, product } = floats;
    if (c.kept(WEIGHTS)?.type !== 'float16') return lowerConvolution(c, parameters);
    const own = asPlanes(parameters);
    const { group, channels, outChannels } = own;
    const algorithm = isSame(product(c.outputShape(0)), 0) ? undefined : algorithmFor(c, own);
    const isProduct = algorithm === pointwise && group === 1;
    const rows = product(c.shape(0).slice(0, -1));
    if (isProduct && multiplied(c, floats, { m: rows, n: outChannels, k: channels, isTransposed: true }, own)) return;
    if (algorithm === direct && convolved(c, floats, own)) return;
    return lowerConvolution(c, parameters);
  };

/** The lowerings of products and convolutions, taking weights in halves where they can. */
export const takingHalves = (floats: OfFloats): Lowerings => ({
  matmul: { lower: productBy(floats), bySize: true },
  convolution: { lower: convolutionBy(floats), bySize: true },
});
