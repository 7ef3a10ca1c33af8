import { roundHalfEven } from '../weights/blocks.js';
import type { ByteType } from './options.js';

/** How a tensor is rounded to bytes: around 0 or not, within 7 bits or 8, each slice of an axis by itself or all alike. */
export interface Rounding {
  readonly type: ByteType;
  readonly symmetric: boolean;
  readonly reduced: boolean;
  readonly axis?: number | undefined;
}

export interface Bytes {
  readonly codes: Int8Array | Uint8Array;
  readonly scales: Float32Array;
  readonly zeros: Int8Array | Uint8Array;
}

const ARRAYS = { int8: Int8Array, uint8: Uint8Array };

const WHOLE = { int8: [-128, 127], uint8: [0, 255] } as const;
const REDUCED = { int8: [-64, 64], uint8: [0, 127] } as const;

function rangeFor({ type, symmetric, reduced }: Rounding): readonly [number, number] {
  if (reduced) return REDUCED[type];
  return symmetric && type === 'int8' ? [-127, 127] : WHOLE[type];
}

/** The least positive number of single precision that has all its bits. */
const TINY = 2 ** -126;

/** Scale and zero point of numbers from `least` to `greatest`, between which 0 is. */
function levelsOf(least: number, greatest: number, rounding: Rounding): readonly [scale: number, zero: number] {
  const [low, high] = rangeFor(rounding);
  const far = Math.max(-least, greatest);
  const [from, to] = rounding.symmetric ? [-far, far] : [least, greatest];
  const scale = Math.fround(to - from) / (high - low);
  if (scale < TINY) return [1, 0];
  return [Math.fround(scale), roundHalfEven(rounding.symmetric ? (low + high) / 2 : low - from / scale)];
}

/** Rounds a tensor to 8-bit integers, in single precision, as onnxruntime's quantiser does. */
export function bytesOf(values: Float32Array, dims: readonly number[], rounding: Rounding): Bytes {
  const { type, axis } = rounding;
  const count = axis === undefined ? 1 : (dims[axis] as number);
  const inner = axis === undefined ? values.length : dims.slice(axis + 1).reduce((product, dim) => product * dim, 1);
  const [least, greatest] = [new Float32Array(count), new Float32Array(count)];
  const slice = (i: number) => Math.floor(i / inner) % count;
  for (let i = 0; i < values.length; i++) {
    const [at, x] = [slice(i), values[i] as number];
    if (x < (least[at] as number)) least[at] = x;
    if (x > (greatest[at] as number)) greatest[at] = x;
  }
  const [codes, zeros] = [new ARRAYS[type](values.length), new ARRAYS[type](count)];
  const scales = new Float32Array(count);
  for (let at = 0; at < count; at++)
    [scales[at], zeros[at]] = levelsOf(least[at] as number, greatest[at] as number, rounding) as [number, number];
  const [low, high] = WHOLE[type];
  for (let i = 0; i < values.length; i++) {
    const at = slice(i);
    const step = roundHalfEven(Math.fround((values[i] as number) / (scales[at] as number)));
    codes[i] = Math.min(Math.max(step + (zeros[at] as number), low), high);
  }
  return { codes, scales, zeros };
}
