import { intAttribute, stringAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { isKnown, type Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { INDICES } from '../../schema/element-sets.js';
import { axisOf, requireDims } from '../../schema/shapes.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo } from '../emit.js';
import { converted } from './converted.js';
import { bytesBehind, codesIn, fromLow, unpacked } from './packed-bytes.js';

const [DATA, INDEX, SCALES, ZEROS] = [0, 1, 2, 3];

interface Attributes {
  readonly bits: number;
  readonly block_size: number;
  readonly gather_axis: number;
  readonly quantize_axis: number;
}

type Node = Inference<Attributes>;

const isByte = (c: Node) => c.element(DATA) === 'uint8';

/** Number of codes per element of the data's declared type. */
const codesPerElement = (c: Node) => (isByte(c) ? 8 / c.attributes.bits : 1);

/** The axis to gather along, the axis that is quantized in blocks, and the rank of the result. */
interface Axes {
  readonly from: number;
  readonly blocks: number;
  readonly rank: number;
}

const axesOf = (c: Node, rank: number): Pick<Axes, 'from' | 'blocks'> => ({
  from: axisOf(c, c.attributes.gather_axis, rank),
  blocks: axisOf(c, c.attributes.quantize_axis, rank),
});

function checkAttributes(c: Node): void {
  const { bits, block_size } = c.attributes;
  if (block_size < 16 || Math.log2(block_size) % 1 !== 0)
    c.fail('INVALID_ATTRIBUTE', `block_size must be a power of two and at least 16, not ${block_size}`);
  const widths = isByte(c) ? [2, 4, 8] : [4];
  if (!widths.includes(bits))
    c.fail('INVALID_ATTRIBUTE', `bits of ${c.element(DATA)} must be ${widths.join(', ')}, not ${bits}`);
}

function checkAxes(c: Node, rank: number): void {
  const { from, blocks } = axesOf(c, rank);
  if (isByte(c) && (from !== 0 || blocks !== rank - 1 || rank < 2))
    c.fail(
      'INVALID_ATTRIBUTE',
      `expected rows (gather_axis 0) of uint8 that are quantized along the last of at least two axes, not axis ${from} and ${blocks} of ${rank}`,
    );
}

/** Shape of the data when unpacked. */
const unpackedDims = (c: Node, data: readonly number[]): number[] => [
  ...data.slice(0, -1),
  (data.at(-1) as number) * codesPerElement(c),
];

function checkParameters(c: Node, data: readonly number[]): void {
  const { blocks } = axesOf(c, data.length);
  const scales = unpackedDims(c, data).map((d, axis) => (axis === blocks ? Math.ceil(d / c.attributes.block_size) : d));
  requireDims(c, SCALES, scales);
  const zeros = scales.map((d, axis) => (axis === blocks ? Math.ceil(d / codesPerElement(c)) : d));
  requireDims(c, ZEROS, zeros);
}

const gathered = (c: Decomposition<Attributes>, values: Value, indices: Value, axis: number): Value =>
  emitOne(c, 'Gather', [values, indices], { axis: intAttribute(axis) });

/** Merges the last two of `rank` axes into one of `size`. */
const merged = (c: Decomposition<Attributes>, value: Value, rank: number, size: number): Value =>
  reshapeTo(c, value, [...new Array<number>(rank - 2).fill(0), size]);

/** Data packed in bytes whose rows can be gathered. 4-bit integers must be constant and have an even last dimension. */
function packedRows(c: Decomposition<Attributes>, from: number): Value | undefined {
  if (isByte(c)) return c.attributes.bits < 8 ? c.input(DATA) : undefined;
  const known = c.contents(DATA);
  const isRow = known && from < known.dims.length - 1 && (known.dims.at(-1) as number) % 2 === 0;
  return isRow ? c.constant(bytesBehind(known)) : undefined;
}

const signed = (code: number) => (code < 8 ? code : code - 16);

/** Gathers codes, in float32. */
function gatheredCodes(c: Decomposition<Attributes>, from: number, rank: number, length: number): Value {
  const packed = packedRows(c, from);
  if (!packed) return castTo(c, gathered(c, c.input(DATA), c.input(INDEX), from), 'float32');
  const meaning = c.element(DATA) === 'int4' ? signed : undefined;
  const codes = codesIn(c, gathered(c, packed, c.input(INDEX), from), fromLow(c.attributes.bits, meaning));
  return merged(c, codes, rank + 1, length);
}

/** Block number of each index, if blocks lie along the gathered axis. */
function blockIndices(c: Decomposition<Attributes>, size: number): Value {
  const element = c.element(INDEX);
  const f = arithmeticOn(c, element);
  const index = c.input(INDEX);
  const positions = f('Where', f('Less', index, 0), f('Add', index, size), index);
  return f('Div', positions, c.attributes.block_size);
}

/** Indices into scales and zero points along `from`. */
const parameterIndices = (c: Decomposition<Attributes>, { from, blocks }: Axes, size: number): Value =>
  from === blocks ? blockIndices(c, size) : c.input(INDEX);

/** Zero points of 4-bit integers, one per element. */
function wholeZeros(c: Decomposition<Attributes>): Value {
  const known = c.contents(ZEROS);
  return known ? c.constant(unpacked(known)) : castTo(c, c.input(ZEROS), 'float32');
}

/** Zero points of the gathered data in float32, one per block for `count` blocks; a number if all are equal. */
function gatheredZeros(c: Decomposition<Attributes>, axes: Axes, indices: Value, count: number): Value | number {
  const { bits } = c.attributes;
  if (!c.given(ZEROS)) return isByte(c) ? 2 ** (bits - 1) : 0;
  if (!isByte(c)) return castTo(c, gathered(c, wholeZeros(c), indices, axes.from), 'float32');
  const rows = gathered(c, c.input(ZEROS), indices, axes.from);
  if (bits === 8) return castTo(c, rows, 'float32');
  const room = Math.ceil(count / codesPerElement(c)) * codesPerElement(c);
  const all = merged(c, codesIn(c, rows, fromLow(bits)), axes.rank + 1, room);
  return room === count ? all : emitOne(c, 'Slice', [all, listOf(c, [0]), listOf(c, [count]), listOf(c, [-1])]);
}

/** Repeats a parameter per block so that it matches the codes elementwise. */
function spreadOver(c: Decomposition<Attributes>, axes: Axes, size: number): (parameter: Value) => Value {
  const { from, blocks, rank } = axes;
  if (from === blocks) return (parameter) => parameter;
  const indexRank = rank - (c.dims(DATA)?.length as number) + 1;
  const axis = blocks < from ? blocks : blocks + indexRank - 1;
  const list = Array.from({ length: size }, (_, i) => Math.floor(i / c.attributes.block_size));
  return (parameter) => gathered(c, parameter, listOf(c, list), axis);
}

/** Whether the node gathers rows of a non-empty matrix that is quantized along its rows. */
const isTable = ({ from, blocks }: Axes, dims: readonly number[]): dims is [number, number] =>
  dims.length === 2 && from === 0 && blocks === 1 && !dims.includes(0);

/** Gathers rows of a table that is quantized along its rows, reading them as stored. */
function rowsOfTable(c: Decomposition<Attributes>, [N, K]: readonly [number, number]): Value {
  const { bits, block_size } = c.attributes;
  const stored = (i: number) => {
    if (!c.given(i)) return null;
    return c.element(i) === 'bfloat16' ? castTo(c, c.input(i), 'float32') : c.input(i);
  };
  return emitOne(c, 'sardonyx:GatherNBits', [c.input(INDEX), c.input(DATA), stored(SCALES), stored(ZEROS)], {
    K: intAttribute(K),
    N: intAttribute(N),
    bits: intAttribute(bits),
    block_size: intAttribute(block_size),
    layout: stringAttribute(isByte(c) ? 'rows' : 'NK'),
  });
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.GatherBlockQuantized */
export const gatherBlockQuantized = defineOp({
  domain: 'com.microsoft',
  name: 'GatherBlockQuantized',
  signature: 'data: T1, indices: Tind, scales: T2, zero_points?: T1 -> output: T2',
  types: { T1: ['int4', 'uint4', 'uint8'], T2: ['float32', 'float16', 'bfloat16'], Tind: INDICES },
  attributes: { bits: int(4), block_size: int(128), gather_axis: int(0), quantize_axis: int(1) },
  infer(c) {
    checkAttributes(c);
    const [data, indices] = [c.dims(DATA), c.dims(INDEX)];
    if (data) checkAxes(c, data.length);
    if (!isKnown(data)) return [tensorType(c.element(SCALES))];
    checkParameters(c, data);
    const { from } = axesOf(c, data.length);
    const dims: readonly Size[] = unpackedDims(c, data);
    return [tensorType(c.element(SCALES), indices && [...dims.slice(0, from), ...indices, ...dims.slice(from + 1)])];
  },
  decompose(c) {
    const [data, indices] = [c.dims(DATA), c.dims(INDEX)];
    if (!isKnown(data) || !indices) return undefined;
    const axes = { ...axesOf(c, data.length), rank: data.length + indices.length - 1 };
    const dims = unpackedDims(c, data);
    const type = c.element(SCALES);
    if (isTable(axes, dims)) return [converted(c, rowsOfTable(c, dims), 'float32', type)];
    const size = dims[axes.blocks] as number;
    const own = parameterIndices(c, axes, size);
    const spread = spreadOver(c, axes, size);
    const f = arithmeticOn(c, 'float32');
    const codes = gatheredCodes(c, axes.from, axes.rank, dims.at(-1) as number);
    const zeros = gatheredZeros(c, axes, own, Math.ceil(size / c.attributes.block_size));
    const scales = converted(c, gathered(c, c.input(SCALES), own, axes.from), type, 'float32');
    const distances = f('Sub', codes, typeof zeros === 'number' ? zeros : spread(zeros));
    return [converted(c, f('Mul', distances, spread(scales)), 'float32', type)];
  },
});
