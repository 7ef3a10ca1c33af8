import { type AttributeInputs, float, floats, ints, strings } from '../../src/builder/index.js';
import { resizeAttributes } from '../../src/primitives/resize-geometry.js';
import { tensorOf } from '../../src/tensor/numbers.js';
import { narrowedRows, SCALE_BYTES } from '../../src/tensor/scaled-rows.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { between, draw, drawEpilogue, drawWindows, list, maybe, type Random } from './draw.js';
import { evaluate, evaluated, first, last } from './host.js';

type Operands = readonly (TensorValue | null)[];

/** A node of a primitive, and what else says the same. */
export interface Case {
  readonly inputs: Operands;
  readonly attributes?: AttributeInputs;
  readonly outputs?: number;
  /** Inputs that a plan is made with. */
  readonly constants?: readonly number[];
  /**
   * By ONNX's own operator on operands of float64, whose floats are those of `inputs`: what the reference says of them, and
   * what is expected of it.
   */
  readonly onnx?: (operands: Operands, results: readonly TensorValue[]) => readonly [TensorValue, TensorValue];
  /** What results may differ by, relative to the largest, where kernels round operands to 16 bits. */
  readonly bound?: number;
  /** The largest number on the way to the result, where that may be larger than its own. */
  readonly magnitude?: number;
  /** The part of a result that means something. */
  readonly meant?: (results: readonly TensorValue[]) => readonly TensorValue[];
}

export type Draw = (r: Random) => Case;

const int32 = (dims: readonly number[], values: readonly number[]): TensorValue => ({
  type: 'int32',
  dims,
  data: Int32Array.from(values),
});
const int64 = (dims: readonly number[], values: readonly number[]): TensorValue => ({
  type: 'int64',
  dims,
  data: BigInt64Array.from(values, BigInt),
});
const sized = (...dims: readonly number[]) => dims;

/** The result by ONNX's operator of channels-first order, then activation, beside the reference's. */
const asOnnx =
  (op: string, attributes: AttributeInputs, activate = (y: TensorValue) => y): NonNullable<Case['onnx']> =>
  ([x, ...rest], [y]) => [
    y as TensorValue,
    activate(last(evaluated(op, [first(x as TensorValue), ...rest], attributes))),
  ];

/** A convolution or its transposition, with an epilogue; `channels` by group. */
function withEpilogue(
  r: Random,
  op: 'Conv' | 'ConvTranspose',
  operands: readonly [x: TensorValue, w: TensorValue, outChannels: number],
  attributes: AttributeInputs,
): Case {
  const [x, w, outChannels] = operands;
  const { dims, data } = last(evaluated(op, [first(x), w], attributes));
  const { attributes: activation, activate } = drawEpilogue(r);
  const inputs = [x, w, maybe(r, () => draw(r, [outChannels])), maybe(r, () => draw(r, dims))];
  return {
    inputs,
    attributes: { ...attributes, ...activation },
    magnitude: Math.max(...(data as Float32Array).map(Math.abs)),
    onnx: ([x, w, bias, residual], results) =>
      asOnnx(op, attributes, (y) => activate(residual ? evaluated('Add', [y, residual]) : y))(
        [x, w, bias] as Operands,
        results,
      ),
  };
}

function convolution(r: Random): Case {
  const { kernel, sizes, attributes } = drawWindows(r);
  const [group, own, wide] = r.pick([
    [1, between(r, 1, 9), between(r, 1, 9)],
    [2, between(r, 1, 3), between(r, 1, 3)],
    [5, 1, between(r, 1, 2)],
    [6, 1, 1],
  ] as const);
  const x = draw(r, [between(r, 1, 2), ...sizes, group * own]);
  const w = draw(r, [group * wide, own, ...kernel]);
  return withEpilogue(r, 'Conv', [x, w, group * wide], { ...attributes, group });
}

/** Sums of 8-bit integers as they are: zero points, scales and bounds have cases with onnxruntime's results in test/contrib. */
function integerConvolution(r: Random): Case {
  const { kernel, sizes, attributes } = drawWindows(r);
  const [group, own, wide] = r.pick([
    [1, between(r, 1, 9), between(r, 1, 9)],
    [2, between(r, 1, 3), between(r, 1, 3)],
    [6, 1, 1],
  ] as const);
  const x = bytes(r, [between(r, 1, 2), ...sizes, group * own]);
  const w = bytes(r, [group * wide, own, ...kernel]);
  return {
    inputs: [x, w],
    attributes: { ...attributes, group },
    onnx: ([a = null, b = null], [y = null]) => {
      const sums = last(evaluated('Conv', [first(inFloats(a)), inFloats(b)], { ...attributes, group }));
      return [inFloats(y), sums];
    },
  };
}

const inFloats = (x: TensorValue | null): TensorValue => {
  const { dims, data } = x as TensorValue;
  return { type: 'float64', dims, data: Float64Array.from(data as ArrayLike<number>) };
};

function bytes(r: Random, dims: readonly number[]): TensorValue {
  const count = dims.reduce((n, d) => n * d, 1);
  return { type: 'int8', dims, data: Int8Array.from({ length: count }, () => between(r, -128, 127)) };
}

/** 3×3, stride 1 and channels enough for Winograd's minimal filtering. */
function winograd(r: Random): Case {
  const [channels, outChannels] = [r.pick([16, 20]), r.pick([16, 24])];
  const x = draw(r, [1, between(r, 6, 11), between(r, 6, 11), channels]);
  const w = draw(r, [outChannels, channels, 3, 3]);
  return withEpilogue(r, 'Conv', [x, w, outChannels], { pads: list(4, () => r.below(2)) });
}

function transposedConvolution(r: Random): Case {
  const rank = between(r, 1, 3);
  const [kernel, strides] = [list(rank, () => between(r, 1, 3)), list(rank, () => between(r, 1, 3))];
  const sizes = list(rank, () => between(r, 3, 5));
  const dilations = list(rank, () => between(r, 1, 2));
  const [group, own, wide] = [r.pick([1, 2]), between(r, 1, 5), between(r, 1, 9)];
  const x = draw(r, [between(r, 1, 2), ...sizes, group * own]);
  const w = draw(r, [group * own, wide, ...kernel]);
  const shapes: AttributeInputs = r.pick([
    {},
    { pads: list(2 * rank, () => r.below(2)) },
    { output_padding: strides.map((stride) => r.below(stride)) },
    { auto_pad: r.pick(['SAME_UPPER', 'SAME_LOWER', 'VALID']) },
    { output_shape: sizes.map((size, i) => size * (strides[i] as number)) },
  ]);
  return withEpilogue(r, 'ConvTranspose', [x, w, group * wide], { strides, dilations, group, ...shapes });
}

const pool =
  (op: string, own: (r: Random) => AttributeInputs): Draw =>
  (r) => {
    const { kernel, sizes, attributes: moved } = drawWindows(r);
    const attributes = { ...moved, kernel_shape: kernel, ceil_mode: r.below(2), ...own(r) };
    return {
      inputs: [draw(r, [between(r, 1, 2), ...sizes, between(r, 1, 9)])],
      attributes,
      onnx: asOnnx(op, attributes),
    };
  };

function planarMaxPool(r: Random): Case {
  const { kernel, sizes, attributes: moved } = drawWindows(r, { rank: 2, isDilated: false });
  const attributes = { ...moved, kernel_shape: kernel, ceil_mode: r.below(2) };
  return {
    inputs: [draw(r, [between(r, 1, 2), between(r, 1, 3), ...sizes])],
    attributes,
    onnx: ([x], [y]) => [y as TensorValue, evaluated('MaxPool', [x as TensorValue], attributes)],
  };
}

const globalPool =
  (reduction: string): Draw =>
  (r) => {
    const rank = between(r, 1, 3);
    const axes = int64(
      [rank],
      list(rank, (i) => i + 1),
    );
    return {
      inputs: [draw(r, [between(r, 1, 2), ...list(rank, () => between(r, 1, 7)), between(r, 1, 19)])],
      onnx: ([x], [y]) => [y as TensorValue, evaluated(reduction, [x as TensorValue, axes])],
    };
  };

function lrn(r: Random): Case {
  const attributes = { size: between(r, 1, 5), alpha: float(0.25), beta: float(0.75), bias: float(r.pick([1, 2])) };
  const x = draw(r, [between(r, 1, 2), ...list(between(r, 0, 2), () => between(r, 1, 5)), between(r, 1, 13)]);
  return { inputs: [x], attributes, onnx: asOnnx('LRN', attributes) };
}

function instanceNormalization(r: Random): Case {
  const channels = between(r, 1, 9);
  const { attributes, activate } = drawEpilogue(r);
  const epsilon = float(2 ** -10);
  const x = draw(r, [between(r, 1, 2), ...list(between(r, 1, 2), () => between(r, 2, 9)), channels]);
  return {
    inputs: [x, draw(r, [channels]), draw(r, [channels])],
    attributes: { epsilon, ...attributes },
    onnx: asOnnx('InstanceNormalization', { epsilon }, activate),
  };
}

function groupNormalization(r: Random): Case {
  const [num_groups, size] = [between(r, 1, 4), between(r, 1, 5)];
  const { attributes, activate } = drawEpilogue(r);
  const own = { epsilon: float(2 ** -10), num_groups };
  const x = draw(r, [between(r, 1, 2), between(r, 2, 9), between(r, 2, 5), num_groups * size]);
  const scales = r.pick([num_groups, num_groups * size]);
  return {
    inputs: [x, draw(r, [scales]), draw(r, [scales])],
    attributes: { ...own, ...attributes },
    onnx: asOnnx('GroupNormalization', own, activate),
  };
}

const { words: COORDINATES = [] } = resizeAttributes.coordinate_transformation_mode;

function resize(r: Random): Case {
  const dims = list(between(r, 3, 4), () => between(r, 2, 6));
  const axes = dims.map((_, axis) => axis).filter(() => r.chance(0.6));
  const mode = r.pick(['nearest', 'linear', 'cubic']);
  const attributes = {
    mode,
    axes: ints(axes),
    coordinate_transformation_mode: r.pick(COORDINATES),
    nearest_mode: r.pick(['round_prefer_floor', 'round_prefer_ceil', 'floor', 'ceil']),
    cubic_coeff_a: float(r.pick([-0.75, -0.5])),
    exclude_outside: r.below(2),
    extrapolation_value: float(0.5),
    antialias: mode === 'nearest' ? 0 : r.below(2),
    keep_aspect_ratio_policy: r.pick(['stretch', 'not_larger', 'not_smaller']),
  };
  const roi = draw(r, [2 * axes.length], 0, 1);
  const scales = draw(r, [axes.length], 0.5, 2.5);
  const bySizes = r.chance(0.5);
  const sizes = int64(
    [axes.length],
    axes.map(() => between(r, 2, 9)),
  );
  const inputs = [draw(r, dims), roi, bySizes ? null : scales, bySizes ? sizes : null];
  return {
    inputs,
    attributes,
    constants: [1, 2, 3],
    onnx: (operands, [y]) => [y as TensorValue, evaluated('Resize', operands, attributes)],
  };
}

function gridSample(r: Random): Case {
  const sizes = list(between(r, 1, 3), () => between(r, 1, 5));
  const batch = between(r, 1, 2);
  const attributes = {
    mode: r.pick(['nearest', 'linear', 'cubic']),
    padding_mode: r.pick(['zeros', 'border', 'reflection']),
    align_corners: r.below(2),
  };
  const grid = draw(r, [batch, ...sizes.map(() => between(r, 1, 5)), sizes.length], -1.5, 1.5);
  return {
    inputs: [draw(r, [batch, ...sizes, between(r, 1, 9)]), grid],
    attributes,
    onnx: asOnnx('GridSample', attributes),
  };
}

/** What is read is convolved, and compared with a DeformConv of the same weights. */
function deformSample(r: Random): Case {
  const { kernel, sizes, attributes } = drawWindows(r);
  const { strides, dilations, pads } = attributes;
  const moved = { strides, dilations, pads };
  const [offset_group, shared] = [between(r, 1, 3), between(r, 1, 4)];
  const x = draw(r, [between(r, 1, 2), ...sizes, offset_group * shared]);
  const w = draw(r, [2, offset_group * shared, ...kernel]);
  const out = last(evaluated('Conv', [first(x), w], moved)).dims.slice(0, -1);
  const taps = offset_group * kernel.reduce((n, k) => n * k, 1);
  const offset = draw(r, [...out, taps * kernel.length], -2, 2);
  return {
    inputs: [x, offset, maybe(r, () => draw(r, [...out, taps]))],
    attributes: { ...moved, kernel_shape: kernel, offset_group },
    onnx([x, offset, mask], [image]) {
      const operands = [first(x as TensorValue), w, first(offset as TensorValue), null, mask ? first(mask) : null];
      return [
        evaluated('Conv', [first(image as TensorValue), w], { strides: kernel }),
        evaluated('DeformConv', operands, { ...moved, offset_group }),
      ];
    },
  };
}

function roiAlign(r: Random): Case {
  const [batch, regions] = [between(r, 1, 3), between(r, 1, 4)];
  // Of no whole number of pixels, which float32 and float64 might round to different numbers of samples.
  const corners = list(regions, () => {
    const [x, y] = [draw(r, [], 0, 6), draw(r, [], 0, 6)].map(({ data }) => Number(data[0])) as [number, number];
    return [x, y, x + 0.3 + r.below(5), y + 0.3 + r.below(5)];
  });
  const attributes = {
    mode: r.pick(['avg', 'max']),
    output_height: between(r, 1, 3),
    output_width: between(r, 1, 3),
    sampling_ratio: r.below(3),
    spatial_scale: float(r.pick([0.5, 1])),
    coordinate_transformation_mode: r.pick(['half_pixel', 'output_half_pixel']),
  };
  return {
    inputs: [
      draw(r, [batch, between(r, 3, 7), between(r, 3, 7), between(r, 1, 6)]),
      { type: 'float32', dims: [regions, 4], data: Float32Array.from(corners.flat()) },
      int64(
        [regions],
        list(regions, () => r.below(batch)),
      ),
    ],
    attributes,
    onnx: asOnnx('RoiAlign', attributes),
  };
}

function nonMaxSuppression(r: Random): Case {
  const [batch, classes, count] = [between(r, 1, 2), between(r, 1, 3), between(r, 0, 40)];
  const one = (x: number): TensorValue => ({ type: 'float32', dims: [1], data: Float32Array.of(x) });
  const limit = int64([1], [r.pick([0, 3, 100])]);
  return {
    inputs: [
      draw(r, [batch, count, 4], 0, 1),
      draw(r, [batch, classes, count]),
      r.chance(0.9) ? limit : null,
      maybe(r, () => one(0.25)),
      maybe(r, () => one(-0.5)),
    ],
    attributes: { center_point_box: r.below(2) },
    outputs: 2,
    constants: [2],
    meant([selected, counts]) {
      const { dims, data } = selected as TensorValue;
      const kept = Array.from(data as Int32Array).filter(
        (_, i) => i % (dims[2] as number) < Number(counts?.data[Math.floor(i / (dims[2] as number))]),
      );
      return [int32([kept.length], kept), counts as TensorValue];
    },
  };
}

function attention(r: Random): Case {
  const [batch, kvHeads, shared] = [between(r, 1, 2), between(r, 1, 2), between(r, 1, 3)];
  const [rows, keys, size, width] = [between(r, 1, 9), between(r, 1, 70), between(r, 1, 9), between(r, 1, 9)];
  const heads = kvHeads * shared;
  const swaps = r.chance(0.5);
  const laid = (h: number, n: number, columns: number) =>
    draw(r, swaps ? sized(batch, n, h, columns) : sized(batch, h, n, columns));
  const perm = swaps ? ints([0, 2, 1, 3]) : undefined;
  return {
    inputs: [
      laid(heads, rows, size),
      laid(kvHeads, keys, size),
      laid(kvHeads, keys, width),
      maybe(r, () => draw(r, r.pick([sized(rows, keys), sized(heads, 1, keys), sized(batch, 1, rows, keys)]))),
      maybe(r, () =>
        int32(
          [batch],
          list(batch, () => between(r, 1, keys)),
        ),
      ),
    ],
    attributes: {
      scale: float(r.pick([0.5, 1])),
      causal: r.below(2),
      causal_offset: r.chance(0.3) ? r.below(3) : undefined,
      softcap: float(r.pick([0, 2])),
      q_perm: perm,
      k_perm: perm,
      v_perm: perm,
      y_perm: perm,
    },
  };
}

/** Keys or values as a cache stores them. */
function stored(type: 'float32' | 'float16' | 'int8', rows: TensorValue): TensorValue {
  const { dims, data } = rows;
  if (type !== 'int8') return tensorOf(type, dims, data as Float32Array);
  const size = dims.at(-1) as number;
  return { type, dims: dims.with(-1, size + SCALE_BYTES), data: narrowedRows(data as Float32Array, size) };
}

function cachedAttention(r: Random, type: 'float32' | 'float16' | 'int8'): Case {
  const [batch, kvHeads, shared] = [between(r, 1, 2), between(r, 1, 2), between(r, 1, 5)];
  const [rows, keys, size, width] = [between(r, 1, 14), between(r, 1, 150), 8 * between(r, 1, 3), 8 * between(r, 1, 3)];
  const heads = kvHeads * shared;
  const scale = r.pick([0.25, 0.5]);
  const swaps = r.chance(0.5);
  const perm = swaps ? ints([0, 2, 1, 3]) : undefined;
  const laid = (h: number, n: number, columns: number) =>
    draw(r, swaps ? sized(batch, n, h, columns) : sized(batch, h, n, columns));
  return {
    inputs: [
      laid(heads, rows, size),
      stored(type, laid(kvHeads, keys, size)),
      stored(type, laid(kvHeads, keys, width)),
      maybe(r, () =>
        hidden(r, draw(r, r.pick([sized(rows, keys), sized(heads, 1, keys), sized(batch, 1, rows, keys)]))),
      ),
      maybe(r, () =>
        int32(
          [batch],
          list(batch, () => between(r, 1, keys)),
        ),
      ),
      maybe(r, () => draw(r, [heads], -2, 2)),
    ],
    attributes: {
      scale: float(scale),
      causal: r.below(2),
      causal_offset: r.chance(0.3) ? r.below(keys) : undefined,
      window: r.pick([0, 0, 1, between(r, 2, keys + 1)]),
      softcap: float(r.pick([0, 2])),
      q_perm: perm,
      k_perm: perm,
      v_perm: perm,
      y_perm: perm,
    },
    // Scores are off by up to `size` products of a query's half of 2⁻¹⁵; weights by that of two scores, and by as much as they are rounded by.
    ...(type === 'int8' && { bound: 2 ** -15 * (scale * size + 1) }),
  };
}

const byFloats: Draw = (r) => cachedAttention(r, 'float32');
const byHalves: Draw = (r) => cachedAttention(r, 'float16');
const byBytes: Draw = (r) => cachedAttention(r, 'int8');

/** Some of a mask's numbers are −∞. */
const hidden = (r: Random, { dims, data }: TensorValue): TensorValue =>
  tensorOf(
    'float32',
    dims,
    (data as Float32Array).map((x) => (r.chance(0.2) ? Number.NEGATIVE_INFINITY : x)),
  );

/** Clear of the halves between two integers, where single precision may round to the other. */
function narrowRows(r: Random): Case {
  const [rows, size] = [between(r, 1, 9), 4 * between(r, 1, 9)];
  const row = () => {
    const scale = 10 ** between(r, -9, 9);
    const whole = list(size, () => between(r, -126, 126) + (r.below(801) - 400) / 1000);
    const numbers = whole.with(r.below(size), r.pick([-127, 127])).map((x) => x * scale);
    if (r.chance(0.1)) return list(size, () => 0);
    return r.chance(0.2) ? numbers.with(r.below(size), r.pick([Number.NaN, Number.POSITIVE_INFINITY])) : numbers;
  };
  return { inputs: [tensorOf('float32', [1, rows, size], list(rows, row).flat())] };
}

/** Element by element, as complex numbers are multiplied. */
function rotary(r: Random): Case {
  const [batch, rows, heads, half] = [between(r, 1, 3), between(r, 0, 5), between(r, 1, 4), between(r, 1, 9)];
  const [size, interleaved, headAxis, places] = [2 * half + r.below(4), r.below(2), between(r, 1, 2), between(r, 1, 7)];
  const dims = headAxis === 1 ? [batch, heads, rows, size] : [batch, rows, heads, size];
  const own = r.pick([1, batch]);
  const positions = list(own * rows, () => between(r, -places, places - 1));
  const turned =
    (x: readonly number[], cos: readonly number[], sin: readonly number[]) => (value: number, i: number) => {
      const column = i % size;
      if (column >= 2 * half) return value;
      const row = Math.floor(i / size / (headAxis === 1 ? 1 : heads)) % rows;
      const block = Math.floor(i / (rows * heads * size)) % own;
      const position = positions[block * rows + row] as number;
      const isReal = interleaved ? column % 2 === 0 : column < half;
      const partner = x[i + (isReal ? 1 : -1) * (interleaved ? 1 : half)] as number;
      const angle = half * ((position + places) % places) + (interleaved ? column >> 1 : column % half);
      return value * (cos[angle] as number) + (isReal ? -1 : 1) * partner * (sin[angle] as number);
    };
  return {
    inputs: [draw(r, dims), draw(r, [places, half]), draw(r, [places, half]), int64([own, rows], positions)],
    attributes: { head_axis: headAxis, interleaved },
    onnx: ([x, cos, sin], [y]) => {
      const [numbers, cosines, sines] = [x, cos, sin].map((t) => Array.from((t as TensorValue).data as Float64Array));
      const expected = (numbers ?? []).map(turned(numbers ?? [], cosines ?? [], sines ?? []));
      return [y as TensorValue, { type: 'float64', dims, data: Float64Array.from(expected) }];
    },
  };
}

/** Row by row, by a loop over what is to be there. */
function writeRows(r: Random): Case {
  const [batch, heads, length, columns] = [between(r, 1, 3), between(r, 1, 3), between(r, 1, 9), between(r, 1, 7)];
  const [fresh, offset] = [between(r, 0, length), between(r, -3, 3)];
  const starts = list(batch, () => between(r, 0, length - fresh));
  const pointers = starts.map((start) => start - offset);
  return {
    inputs: [
      draw(r, [batch, heads, length, columns]),
      r.pick([int32, int64])([batch], pointers),
      draw(r, [batch, heads, fresh, columns]),
    ],
    attributes: { offset },
    onnx: ([x, , rows], [y]) => {
      const [old, own] = [x, rows].map((t) => (t as TensorValue).data as Float64Array);
      const expected = Float64Array.from(old ?? [], (value, i) => {
        const matrix = Math.floor(i / columns / length);
        const row = (Math.floor(i / columns) % length) - (starts[Math.floor(matrix / heads)] as number);
        return row >= 0 && row < fresh ? (own?.[(matrix * fresh + row) * columns + (i % columns)] as number) : value;
      });
      return [y as TensorValue, { type: 'float64', dims: [batch, heads, length, columns], data: expected }];
    },
  };
}

function linearAttention(r: Random): Case {
  const [batch, length, kvHeads, shared] = [between(r, 1, 2), between(r, 0, 6), between(r, 1, 3), between(r, 1, 2)];
  const [keySize, valueSize] = [between(r, 1, 6), between(r, 1, 19)];
  return {
    inputs: [
      draw(r, [batch, length, kvHeads * shared * keySize]),
      draw(r, [batch, length, kvHeads * keySize]),
      draw(r, [batch, length, kvHeads * valueSize]),
      maybe(r, () => draw(r, [batch, kvHeads, keySize, valueSize])),
      maybe(r, () => draw(r, [batch, length, kvHeads * r.pick([1, keySize])], 0.5, 1)),
      maybe(r, () => draw(r, [batch, length, r.pick([1, kvHeads])], 0, 1)),
    ],
    attributes: { q_num_heads: kvHeads * shared, kv_num_heads: kvHeads, scale: float(0.5) },
    outputs: 2,
  };
}

function causalConvolution(r: Random): Case {
  const [batch, channels, length, taps] = [between(r, 1, 2), between(r, 1, 5), between(r, 1, 9), between(r, 1, 4)];
  return {
    inputs: [
      draw(r, [batch, channels, length]),
      draw(r, [channels, 1, taps]),
      maybe(r, () => draw(r, [channels])),
      maybe(r, () => draw(r, [batch, channels, taps - 1])),
    ],
    attributes: { activation: r.pick(['none', 'silu', 'swish']) },
    outputs: 2,
  };
}

const GATE_ACTIVATIONS = [
  'Sigmoid',
  'Tanh',
  'Relu',
  'Affine',
  'LeakyRelu',
  'HardSigmoid',
  'Elu',
  'Softsign',
  'Softplus',
];

const recurrent =
  (gates: number, activations: number, own: (r: Random) => AttributeInputs): Draw =>
  (r) => {
    const isLstm = gates === 4;
    const direction = r.pick(['forward', 'reverse', 'bidirectional']);
    const directions = direction === 'bidirectional' ? 2 : 1;
    const layout = r.below(2);
    const [steps, batch, size, hidden] = [between(r, 1, 5), between(r, 1, 5), between(r, 1, 6), between(r, 1, 9)];
    const state = () => draw(r, layout ? [batch, directions, hidden] : [directions, batch, hidden]);
    const named = r.chance(0.5) ? list(directions * activations, () => r.pick(GATE_ACTIVATIONS)) : undefined;
    return {
      inputs: [
        draw(r, layout ? [batch, steps, size] : [steps, batch, size]),
        draw(r, [directions, gates * hidden, size]),
        // Some activations have no bounds: larger weights would drive the states apart, and what differs in them.
        draw(r, [directions, gates * hidden, hidden], -0.25, 0.25),
        maybe(r, () => draw(r, [directions, 2 * gates * hidden])),
        maybe(r, () =>
          int32(
            [batch],
            list(batch, () => r.below(steps + 1)),
          ),
        ),
        maybe(r, state),
        ...(isLstm ? [maybe(r, state), maybe(r, () => draw(r, [directions, 3 * hidden]))] : []),
      ],
      attributes: {
        hidden_size: hidden,
        direction,
        layout,
        clip: r.chance(0.3) ? float(0.75) : undefined,
        ...(named && { activations: strings(named), activation_alpha: floats(named.map(() => 0.5)) }),
        ...own(r),
      },
      outputs: isLstm ? 3 : 2,
    };
  };

/** A tree of so many levels as the lists of a regressor. */
interface NodeLists {
  readonly modes: string[];
  readonly features: number[];
  readonly values: number[];
  readonly trueIds: number[];
  readonly falseIds: number[];
}

function growTree(r: Random, to: NodeLists, features: number, depth: number): number {
  const at = to.modes.length;
  const isLeaf = depth === 0 || r.chance(0.2);
  to.modes.push(isLeaf ? 'LEAF' : r.pick(['LEQ', 'LT', 'GTE', 'GT', 'EQ', 'NEQ'].map((test) => `BRANCH_${test}`)));
  to.features.push(isLeaf ? 0 : r.below(features));
  to.values.push(isLeaf ? 0 : r.pick([-0.5, -0.25, 0, 0.25, 0.5]));
  to.trueIds.push(0);
  to.falseIds.push(0);
  if (isLeaf) return at;
  to.trueIds[at] = growTree(r, to, features, depth - 1);
  to.falseIds[at] = growTree(r, to, features, depth - 1);
  return at;
}

function treeRegressor(r: Random): Case {
  const [features, targets, rows] = [between(r, 1, 4), between(r, 1, 3), between(r, 1, 9)];
  const trees = list(between(r, 1, 5), () => {
    const lists: NodeLists = { modes: [], features: [], values: [], trueIds: [], falseIds: [] };
    growTree(r, lists, features, between(r, 0, 4));
    return lists;
  });
  const all = <T>(of: (lists: NodeLists) => readonly T[]) => trees.flatMap((lists) => [...of(lists)]);
  const leaves = trees.flatMap(({ modes }, tree) =>
    modes.flatMap((mode, node) => (mode === 'LEAF' ? list(between(r, 1, 2), () => [tree, node] as const) : [])),
  );
  // Multiples of a quarter lie on thresholds; NaN passes where a node says so.
  const x = Float32Array.from({ length: rows * features }, () => (r.chance(0.1) ? Number.NaN : r.below(9) / 4 - 1));
  return {
    inputs: [{ type: 'float32', dims: [rows, features], data: x }],
    attributes: {
      nodes_treeids: ints(trees.flatMap(({ modes }, tree) => modes.map(() => tree))),
      nodes_nodeids: ints(all(({ modes }) => modes.map((_, i) => i))),
      nodes_featureids: ints(all((lists) => lists.features)),
      nodes_modes: strings(all((lists) => lists.modes)),
      nodes_values: floats(all((lists) => lists.values)),
      nodes_truenodeids: ints(all((lists) => lists.trueIds)),
      nodes_falsenodeids: ints(all((lists) => lists.falseIds)),
      nodes_missing_value_tracks_true: r.chance(0.5)
        ? ints(all(({ modes }) => modes.map(() => r.below(2))))
        : undefined,
      target_treeids: ints(leaves.map(([tree]) => tree)),
      target_nodeids: ints(leaves.map(([, node]) => node)),
      target_ids: ints(leaves.map(() => r.below(targets))),
      target_weights: floats(leaves.map(() => r.below(64) / 64 - 0.5)),
      n_targets: targets,
      aggregate_function: r.pick(['SUM', 'AVERAGE', 'MIN', 'MAX']),
      base_values: r.chance(0.5) ? floats(list(targets, () => r.below(8) / 8)) : undefined,
    },
  };
}

/** Branches one below the other, their tests those of sets too. */
function treeEnsemble(r: Random): Case {
  const [features, rows, branches] = [between(r, 1, 3), between(r, 1, 9), between(r, 1, 6)];
  const modes = list(branches, () => r.below(7));
  const sets = modes.filter((mode) => mode === 6).flatMap(() => [r.pick([-0.5, 0]), r.pick([0.25, 1]), Number.NaN]);
  const wide = (values: readonly number[]): TensorValue => ({
    type: 'float32',
    dims: [values.length],
    data: Float32Array.from(values),
  });
  const isLast = (i: number) => i === branches - 1;
  const x = Float32Array.from({ length: rows * features }, () => (r.chance(0.1) ? Number.NaN : r.below(9) / 4 - 1));
  return {
    inputs: [{ type: 'float32', dims: [rows, features], data: x }],
    attributes: {
      tree_roots: ints([0]),
      nodes_featureids: ints(modes.map(() => r.below(features))),
      nodes_modes: { type: 'uint8', dims: [branches], data: Uint8Array.from(modes) } as TensorValue,
      nodes_splits: wide(modes.map(() => r.pick([-0.5, 0, 0.25]))),
      nodes_truenodeids: ints(modes.map((_, i) => (isLast(i) ? branches : i + 1))),
      nodes_trueleafs: ints(modes.map((_, i) => Number(isLast(i)))),
      nodes_falsenodeids: ints(modes.map((_, i) => i)),
      nodes_falseleafs: ints(modes.map(() => 1)),
      membership_values: sets.length ? wide(sets) : undefined,
      leaf_targetids: ints(list(branches + 1, () => r.below(2))),
      leaf_weights: wide(list(branches + 1, (i) => i / 4 - 0.5)),
      n_targets: 2,
      aggregate_function: r.below(4),
    },
  };
}

function product(r: Random): Case {
  const [m, k, n] = [between(r, 1, 9), between(r, 1, 9), between(r, 1, 17)];
  const batch = list(r.below(3), () => between(r, 1, 3));
  const [transA, transB] = [r.below(2), r.below(2)];
  const { attributes, activate } = drawEpilogue(r);
  const a = draw(r, [...batch, ...(transA ? [k, m] : [m, k])]);
  const b = draw(r, [...(r.chance(0.5) ? batch : []), ...(transB ? [n, k] : [k, n])]);
  const swap = (x: TensorValue) => {
    const axes = x.dims.map((_, axis) => axis);
    return evaluated('Transpose', [x], { perm: [...axes.slice(0, -2), ...axes.slice(-2).reverse()] });
  };
  return {
    inputs: [a, b, maybe(r, () => draw(r, [n])), maybe(r, () => draw(r, [...batch, m, n]))],
    attributes: { transA, transB, alpha: float(0.5), ...attributes },
    onnx([a, b, bias, residual], [y]) {
      const operands = [transA ? swap(a as TensorValue) : a, transB ? swap(b as TensorValue) : b] as Operands;
      const half: TensorValue = { type: 'float64', dims: [], data: Float64Array.of(0.5) };
      const sums = evaluate({ op: 'Mul', inputs: [evaluated('MatMul', operands), half] })[0] as TensorValue;
      const added = [bias, residual].reduce<TensorValue>((sum, x) => (x ? evaluated('Add', [sum, x]) : sum), sums);
      return [y as TensorValue, activate(added)];
    },
  };
}

/** The largest number of 16 bits that activations are rounded to: two signed bytes. */
const MAX_WORD = 127 * 256 + 127;

/** Numbers that 16 bits hold, whatever the block: multiples of 2⁻¹⁵, the largest of them in every eighth place of a row. */
function sixteenBits(r: Random, rows: number, columns: number): TensorValue {
  const next = (i: number) => ((i % columns) % 8 === 0 ? MAX_WORD : between(r, -MAX_WORD, MAX_WORD)) / 32768;
  return {
    type: 'float32',
    dims: [rows, columns],
    data: Float32Array.from({ length: rows * columns }, (_, i) => next(i)),
  };
}

/** How weights in blocks lie: as MatMulNBits has them or as DequantizeLinear does. */
const drawnBlocks = (r: Random) => ({
  layout: r.pick(['blocks', 'KN', 'NK']),
  bits: r.pick([2, 4, 8]),
  block_size: r.pick([16, 32, 64]),
  K: between(r, 1, 150),
});

/** Weights in such blocks, and as many rows to multiply. */
function weightsInBits(r: Random, common = drawnBlocks(r), rows = between(r, 0, 9)): Case {
  const { layout, bits, block_size, K } = common;
  const N = between(r, 1, 30);
  const blocks = Math.ceil(K / block_size);
  const type = `${layout === 'blocks' || r.chance(0.5) ? 'u' : ''}int${layout === 'blocks' ? 8 : bits}` as 'int8';
  const codes = (...dims: number[]) => {
    const count = dims.reduce((n, d) => n * d, 1);
    const half = 2 ** ((layout === 'blocks' ? 8 : bits) - 1);
    const least = type.startsWith('u') ? 0 : -half;
    return tensorOf(
      type,
      dims,
      list(count, () => between(r, least, least + 2 * half - 1)),
    );
  };
  const ofBlocks = layout === 'KN' ? [blocks, N] : [N, blocks];
  const zeros = () => (layout === 'blocks' ? codes(N, Math.ceil((blocks * bits) / 8)) : codes(...ofBlocks));
  const b = { blocks: [N, blocks, (block_size * bits) / 8], KN: [K, N], NK: [N, K] }[layout] as number[];
  const inputs = [
    sixteenBits(r, rows, K),
    codes(...b),
    draw(r, ofBlocks, 0.01, 0.02),
    maybe(r, zeros),
    maybe(r, () => draw(r, [N])),
  ];
  return { inputs, attributes: { K, N, bits, block_size, layout } };
}

/** The same rows by some matrices, each with scales, zero points and a bias of its own, or without. */
function productsInBits(r: Random): Case {
  const [common, rows] = [drawnBlocks(r), between(r, 0, 9)];
  const cases = list(between(r, 1, 4), () => weightsInBits(r, common, rows));
  const N = cases.map(({ attributes }) => attributes?.N as number);
  const operands = [cases[0]?.inputs[0] ?? null, ...cases.flatMap(({ inputs }) => inputs.slice(1))];
  return { inputs: operands, attributes: { ...common, N }, outputs: cases.length };
}

/** Rows of such weights, or of a table of bytes, some of them as a product has them. */
function rowsInBits(r: Random): Case {
  const { inputs, attributes } = weightsInBits(r);
  const [, codes, scales, zeros] = inputs;
  const { N } = attributes as { readonly N: number };
  const count = r.below(6);
  const indices = tensorOf(
    'int64',
    [count],
    list(count, () => between(r, -N, N - 1)),
  );
  return { inputs: [indices, codes, scales, zeros], attributes: { ...attributes, shared: r.below(2) } } as Case;
}

/** Rows by the experts that they choose. */
function expertsInBits(r: Random): Case {
  const [bits, block_size, perRow] = [r.pick([2, 4, 8]), r.pick([0, 16, 32]), between(r, 1, 3)];
  const [experts, rows, K, N] = [between(r, 1, 4), between(r, 0, 5), 4 * between(r, 1, 30), 8 * between(r, 1, 3)];
  const blocks = block_size ? Math.ceil(K / block_size) : 1;
  const bytes = (...dims: number[]) => drawnBytes(r, 'uint8', dims);
  const inBytes = (count: number) => Math.ceil((count * bits) / 8);
  const zeros = () => (block_size ? bytes(experts, N, inBytes(blocks)) : bytes(experts, inBytes(N)));
  const choices = list(rows * perRow, () => r.below(experts));
  const inputs = [
    sixteenBits(r, rows, K),
    bytes(experts, N, inBytes(K)),
    draw(r, block_size ? [experts, N, blocks] : [experts, N], 0.01, 0.02),
    maybe(r, zeros),
    maybe(r, () => draw(r, [experts, N])),
    tensorOf('int64', [rows, perRow], choices),
  ];
  return { inputs, attributes: { K, N, bits, block_size } };
}

/** Integers of 8 bits, the ends of their range among them. */
function drawnBytes(r: Random, type: 'int8' | 'uint8', dims: readonly number[]): TensorValue {
  const least = type === 'int8' ? -128 : 0;
  const count = dims.reduce((n, d) => n * d, 1);
  return tensorOf(
    type,
    dims,
    list(count, () => least + r.pick([0, 255, r.below(256)])),
  );
}

const ofBytes = (r: Random) => r.pick(['int8', 'uint8'] as const);

/** Operands that spread over each other along some axes. */
function byteArithmetic(r: Random): Case {
  const dims = list(between(r, 1, 4), () => between(r, 1, r.pick([3, 5, 37])));
  const spread = () => dims.slice(r.below(2)).map((d) => (r.chance(0.3) ? 1 : d));
  const [a, b] = [drawnBytes(r, ofBytes(r), r.chance(0.5) ? dims : spread()), drawnBytes(r, ofBytes(r), spread())];
  const zero = (x: TensorValue) => between(r, 0, 127) - (x.type === 'int8' ? 64 : 0);
  const scale = () => float(r.pick([-1, 1]) * (0.01 + r.below(1000) / 5000));
  const attributes = {
    operation: r.pick(['Sum', 'Product']),
    element: ofBytes(r),
    ...{ a_scale: scale(), a_zero: zero(a), b_scale: scale(), b_zero: zero(b) },
    ...{ step: float(0.05 + r.below(1000) / 900), zero: between(r, 0, 100) },
    ...(r.chance(0.5) && { factor: float(0.7), offset: float(3.25) }),
    ...(r.chance(0.5) && { low: float(between(r, 0, 40)), high: float(between(r, 60, 120)) }),
  };
  return { inputs: [a, b], attributes };
}

function byteMaxPool(r: Random): Case {
  const { kernel, sizes, attributes } = drawWindows(r, { rank: between(r, 1, 2) });
  const x = drawnBytes(r, ofBytes(r), [between(r, 1, 2), ...sizes, r.pick([1, 7, 16, 35])]);
  return { inputs: [x], attributes: { ...attributes, kernel_shape: kernel, ceil_mode: r.below(2) } };
}

function byteTable(r: Random): Case {
  const dims = list(r.below(3), () => between(r, 0, 40));
  return { inputs: [drawnBytes(r, ofBytes(r), dims), drawnBytes(r, ofBytes(r), [256])] };
}

/** By operator, as `domain:Name`. */
export const CASES: Readonly<Record<string, readonly Draw[]>> = {
  'sardonyx:ByteArithmetic': [byteArithmetic],
  'sardonyx:ByteMaxPool': [byteMaxPool],
  'sardonyx:ByteTable': [byteTable],
  'sardonyx:MatMul': [product],
  'sardonyx:MatMulNBits': [weightsInBits],
  'sardonyx:MatMulsNBits': [productsInBits],
  'sardonyx:GatherNBits': [rowsInBits],
  'sardonyx:ExpertMatMulNBits': [expertsInBits],
  'sardonyx:Conv': [convolution, winograd],
  'sardonyx:IntegerConv': [integerConvolution],
  'sardonyx:ConvTranspose': [transposedConvolution],
  'sardonyx:AveragePool': [pool('AveragePool', (r) => ({ count_include_pad: r.below(2) }))],
  'sardonyx:MaxPool': [pool('MaxPool', () => ({}))],
  'sardonyx:LpPool': [pool('LpPool', (r) => ({ p: between(r, 1, 3) }))],
  'sardonyx:PlanarMaxPool': [planarMaxPool],
  'sardonyx:GlobalAveragePool': [globalPool('ReduceMean')],
  'sardonyx:GlobalMaxPool': [globalPool('ReduceMax')],
  'sardonyx:LRN': [lrn],
  'sardonyx:InstanceNormalization': [instanceNormalization],
  'sardonyx:GroupNormalization': [groupNormalization],
  'sardonyx:Resize': [resize],
  'sardonyx:GridSample': [gridSample],
  'sardonyx:DeformSample': [deformSample],
  'sardonyx:RoiAlign': [roiAlign],
  'sardonyx:NonMaxSuppression': [nonMaxSuppression],
  'sardonyx:Attention': [attention],
  'sardonyx:CachedAttention': [byFloats, byHalves, byBytes],
  'sardonyx:NarrowRows': [narrowRows],
  'sardonyx:RotaryEmbedding': [rotary],
  'sardonyx:WriteRows': [writeRows],
  'sardonyx:LinearAttention': [linearAttention],
  CausalConvWithState: [causalConvolution],
  RNN: [recurrent(1, 1, () => ({}))],
  GRU: [recurrent(3, 2, (r) => ({ linear_before_reset: r.below(2) }))],
  LSTM: [recurrent(4, 3, (r) => ({ input_forget: r.below(2) }))],
  'sardonyx:TreeEnsembleRegressor': [treeRegressor],
  'sardonyx:TreeEnsemble': [treeEnsemble],
};
