// Products and convolutions with float16 weights, loaded for models that have such weights. Lowerings that are always
// loaded are passed in, not imported: sharing them would split the script that every page loads, and add 2.6 kB to it.
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

const WEIGHTS = 1;
const ROW_BYTES = 16;

/** Panels [groups][ceil(columns / 8)][taps][channels][8], and the strides of their weights. */
interface Panels {
  readonly columns: number;
  readonly channels: number;
  readonly taps: number;
  readonly groupStride: number;
  readonly tapStride: number;
  readonly channelStride: number;
  readonly columnStride: number;
}

/** The number of rows in all panels. */
const rowsOf = ({ columns, channels, taps }: Panels, groups: number): number =>
  groups * Math.ceil(columns / MatMulTile.Panel) * taps * channels;

/** Weights with magnitudes of 64 or more, infinities or NaN, and the error by which packing reports them. */
const unfit = new WeakSet<StoredTensor>();
const UNFIT = new Error('panels of float16 cannot represent these weights');

function pack({ engine }: Lowering, w: number, packed: number, panels: Panels, tiles: number): void {
  const word = engine.allocate(4);
  engine.i32[word / 4] = 0;
  engine.launch('packHalves', { w, packed, unfit: word, ...panels }, tiles);
  const isUnfit = engine.i32[word / 4] !== 0;
  engine.free(word);
  if (isUnfit) throw UNFIT;
}

/** The weights packed in float16; undefined if they are not stored in float16, or have to be float32. */
function packedHalves(c: Lowering, panels: Panels, groups = 1): Place | undefined {
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

/** Sizes of [m, k] · [k, n]; `isTransposed` weights are stored as [n, k]. */
interface Product {
  readonly m: Size;
  readonly n: number;
  readonly k: number;
  readonly isTransposed: boolean;
}

/** Maximum columns of a tile with many rows, whose weights are widened in scratch. */
const mostColumns = (k: number) =>
  MatMulTile.Panel * Math.floor(WideningRoom.Bytes / (4 * MatMulTile.Panel * Math.max(k, 1)));

/** Launches a product with float16 weights; returns whether that is possible. */
function multiplied(
  c: Lowering,
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
  (floats: OfFloats): Lower<ProductParameters> =>
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

/** Launches a convolution with float16 weights, widened in each run; returns whether that is possible. */
function convolved(c: Lowering, floats: OfFloats, parameters: OpenConv): boolean {
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
  (floats: OfFloats): Lower<OpenConv> =>
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

/** Lowerings of products and convolutions that use float16 weights where possible. */
export const takingHalves = (floats: OfFloats): Lowerings => ({
  matmul: productBy(floats),
  convolution: convolutionBy(floats),
});
