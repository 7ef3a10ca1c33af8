import { type Levels, rangesOf } from '../static/levels.js';
import { roundHalfEven } from '../weights/blocks.js';
import type { ByteType } from './options.js';

/** How a tensor is quantized to bytes: symmetric or not, with 7 or 8 bits, per axis or per tensor. */
export interface Rounding {
  readonly type: ByteType;
  readonly symmetric: boolean;
  readonly reduced: boolean;
  readonly axis?: number | undefined;
}

const WHOLE = { int8: [-128, 127], uint8: [0, 255] } as const;
const REDUCED = { int8: [-64, 64], uint8: [0, 127] } as const;

function rangeFor({ type, symmetric, reduced }: Rounding): readonly [number, number] {
  if (reduced) return REDUCED[type];
  return symmetric && type === 'int8' ? [-127, 127] : WHOLE[type];
}

/** The smallest normal number of float32. */
const TINY = 2 ** -126;

/** The scale and zero point for a range, which must include 0. */
function parametersOf(least: number, greatest: number, rounding: Rounding): readonly [scale: number, zero: number] {
  const [low, high] = rangeFor(rounding);
  const far = Math.max(-least, greatest);
  const [from, to] = rounding.symmetric ? [-far, far] : [least, greatest];
  const scale = Math.fround(to - from) / (high - low);
  if (scale < TINY) return [1, 0];
  return [scale, roundHalfEven(rounding.symmetric ? (low + high) / 2 : low - from / scale)];
}

/** The scales and zero points of a tensor, as in onnxruntime's quantizer. */
export function levelsFor(values: Float32Array, dims: readonly number[], rounding: Rounding): Levels {
  const { type, axis } = rounding;
  const found = rangesOf(values, dims, axis).map(({ lowest, highest }) =>
    parametersOf(Math.min(lowest, 0), Math.max(highest, 0), rounding),
  );
  const [scales, zeroPoints] = [found.map(([scale]) => scale), found.map(([, zero]) => zero)];
  return { type, axis, scales: Float32Array.from(scales), zeroPoints: Int32Array.from(zeroPoints) };
}
