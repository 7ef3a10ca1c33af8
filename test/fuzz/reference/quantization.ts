import { type ElementType, elementTypeOf } from '../../../src/tensor/element-types.js';
import { axisOf, countOf, numbersOf, type PlainArray, plain } from './array.js';
import { convolve } from './convolution.js';
import { int, listed, maybe, type Reference, type ReferenceNode, type References, tensor } from './definition.js';
import { matrixProduct } from './matmul.js';
import { halfEven, isFloat, isInteger, rangeOf, roundToFloat } from './number-types.js';
import { around, broadcastDims, broadcastOffsets, stridesOf, sums } from './offsets.js';

/** Which scale belongs to each element: one for all, one for each index of an axis, or one for each block of an axis. */
function scaleOffsets(node: ReferenceNode, dims: readonly number[], scale: PlainArray): Float64Array {
  if (scale.data.length === 1) return new Float64Array(countOf(dims));
  const axis = axisOf(int(node, 'axis', 1), dims.length);
  const block = int(node, 'block_size', 0);
  if (!block) return sums(dims.map((size, i) => Array.from({ length: size }, (_, k) => (i === axis ? k : 0))));
  const strides = stridesOf(scale.dims);
  return sums(
    dims.map((size, i) =>
      Array.from({ length: size }, (_, k) => (i === axis ? Math.floor(k / block) : k) * (strides[i] as number)),
    ),
  );
}

/** Rounded to even and kept within the range of the type; NaN is 0, as for casts. */
function quantizer(type: ElementType, saturate: boolean): (x: number, zeroPoint: number) => number {
  if (isFloat(type)) return (x, zeroPoint) => roundToFloat(type, x + zeroPoint, saturate);
  const [low, high] = rangeOf(type).map(Number) as [number, number];
  return (x, zeroPoint) => (Number.isNaN(x) ? 0 : Math.min(Math.max(halfEven(x) + zeroPoint, low), high));
}

const typeAttribute = (node: ReferenceNode, name: string): ElementType | undefined => elementTypeOf(int(node, name, 0));

/** The specification leaves open what a zero point does that is a float and not 0. */
const isOpen = (zeroPoint: PlainArray | undefined) =>
  zeroPoint?.type.startsWith('float') === true && zeroPoint.data.some((x) => x !== 0);

const QuantizeLinear: Reference = (node) => {
  const [x, scale, zeroPoint] = [tensor(node, 0), tensor(node, 1), maybe(node, 2)];
  const type = zeroPoint?.type ?? typeAttribute(node, 'output_dtype') ?? 'uint8';
  if (type === 'float8e8m0' || isOpen(zeroPoint)) return undefined;
  const at = scaleOffsets(node, x.dims, scale);
  const quantize = quantizer(type, int(node, 'saturate', 1) !== 0);
  const out = numbersOf(x).map((value, i) => {
    const own = at[i] as number;
    return quantize(value / (scale.data[own] as number), (zeroPoint?.data[own] ?? 0) as number);
  });
  return [plain(type, x.dims, out)];
};

const DequantizeLinear: Reference = (node) => {
  const [x, scale, zeroPoint] = [tensor(node, 0), tensor(node, 1), maybe(node, 2)];
  if (isOpen(zeroPoint)) return undefined;
  const at = scaleOffsets(node, x.dims, scale);
  const out = numbersOf(x).map((value, i) => {
    const own = at[i] as number;
    return (value - ((zeroPoint?.data[own] ?? 0) as number)) * (scale.data[own] as number);
  });
  return [plain(typeAttribute(node, 'output_dtype') ?? scale.type, x.dims, out)];
};

/** So near the middle of two whole numbers, float32 decides. */
const isTie = (x: number) => Math.abs(x - Math.floor(x) - 0.5) < 1e-4;

const DynamicQuantizeLinear: Reference = (node) => {
  const { type, dims, data } = tensor(node, 0);
  const numbers = data as readonly number[];
  const low = numbers.reduce((least, x) => Math.min(least, x), 0);
  const high = numbers.reduce((most, x) => Math.max(most, x), 0);
  const scale = (high - low) / 255;
  if (scale === 0) return undefined;
  if (isTie(-low / scale) || numbers.some((x) => isTie(x / scale))) return undefined;
  const quantize = quantizer('uint8', true);
  const zeroPoint = quantize(-low / scale, 0);
  const out = numbers.map((x) => quantize(x / scale, zeroPoint));
  return [plain('uint8', dims, out), plain(type, [], [scale]), plain('uint8', [], [zeroPoint])];
};

/** One number for all, or one for each row (of the left operand) or column (of the right one), as a tensor that broadcasts. */
const spread = (x: PlainArray, isRow: boolean): PlainArray =>
  isRow && x.dims.length === 1 && x.data.length > 1 ? plain(x.type, [x.data.length, 1], x.data) : x;

/** x combined with what broadcasts to it. */
function each(x: PlainArray, other: PlainArray | undefined, isRow: boolean, f: (x: number, other: number) => number) {
  if (!other) return { dims: x.dims, data: x.data as readonly number[] };
  const shape = spread(other, isRow);
  const dims = broadcastDims([x.dims, shape.dims]);
  const at = broadcastOffsets(shape.dims, dims);
  return {
    dims: x.dims,
    data: (x.data as number[]).map((value, i) => f(value, other.data[at[i] as number] as number)),
  };
}

const minus = (x: number, zeroPoint: number): number => x - zeroPoint;

const MatMulInteger: Reference = (node) => {
  const a = each(tensor(node, 0), maybe(node, 2), true, minus);
  const b = each(tensor(node, 1), maybe(node, 3), false, minus);
  const { dims, data } = matrixProduct(a, b);
  return [
    plain(
      'int32',
      dims,
      data.map((x) => x | 0),
    ),
  ];
};

const QLinearMatMul: Reference = (node) => {
  const [a, b, zeroPoint] = [tensor(node, 0), tensor(node, 3), tensor(node, 7)];
  if (![a, b, zeroPoint].every(({ type }) => isInteger(type))) return undefined;
  const product = matrixProduct(each(a, tensor(node, 2), true, minus), each(b, tensor(node, 5), false, minus));
  const times = (x: number, scale: number) => x * scale;
  const whole = plain('float64', product.dims, product.data);
  const byRow = each(whole, tensor(node, 1), true, times);
  const byColumn = each(plain('float64', product.dims, byRow.data), tensor(node, 4), false, times);
  const scaled = each(plain('float64', product.dims, byColumn.data), tensor(node, 6), true, (x, scale) => x / scale);
  const quantize = quantizer(zeroPoint.type, true);
  const out = each(plain('float64', product.dims, scaled.data), zeroPoint, true, quantize);
  return [plain(zeroPoint.type, product.dims, out.data)];
};

/** Less zero points: one, or one for each map of the kernel. */
function centred({ dims, data }: PlainArray, zeroPoints: readonly number[] = [0]) {
  const inner = data.length / (dims[0] as number);
  const one = zeroPoints.length === 1;
  return { dims, data: (data as number[]).map((x, i) => x - (zeroPoints[one ? 0 : Math.floor(i / inner)] as number)) };
}

const ConvInteger: Reference = (node) => {
  const [x, w] = [centred(tensor(node, 0), listed(node, 2)), centred(tensor(node, 1), listed(node, 3))];
  const { dims, data } = convolve(node, x, w);
  return [
    plain(
      'int32',
      dims,
      data.map((sum) => sum | 0),
    ),
  ];
};

const QLinearConv: Reference = (node) => {
  const [x, w] = [centred(tensor(node, 0), listed(node, 2)), centred(tensor(node, 3), listed(node, 5))];
  const zeroPoint = tensor(node, 7);
  const [xScale, wScales, yScale] = [1, 4, 6].map((i) => listed(node, i)) as [number[], number[], number[]];
  const bias = listed(node, 8);
  const { dims, data } = convolve(node, x, w);
  const { size: maps, inner } = around(dims, 1);
  const quantize = quantizer(zeroPoint.type, true);
  const out = data.map((sum, i) => {
    const map = Math.floor(i / inner) % maps;
    const scale = ((xScale[0] as number) * (wScales[wScales.length === 1 ? 0 : map] as number)) / (yScale[0] as number);
    return quantize((sum + (bias?.[map] ?? 0)) * scale, zeroPoint.data[0] as number);
  });
  return [plain(zeroPoint.type, dims, out)];
};

export const QUANTIZATION: References = {
  QuantizeLinear,
  DequantizeLinear,
  DynamicQuantizeLinear,
  MatMulInteger,
  QLinearMatMul,
  ConvInteger,
  QLinearConv,
};
