import { fileOf, LeftBytes } from '../../model/document/left-bytes.js';
import { byteLength, type ElementType } from '../../tensor/element-types.js';
import { fromFloat16 } from '../../tensor/half.js';

/** A storage format of GGUF. */
export interface Form {
  readonly name: string;
  /** The element type after reading. */
  readonly type: ElementType;
  /** The number of elements and of bytes in a block. */
  readonly block: number;
  readonly bytes: number;
  /** Dequantizes a block; undefined if no dequantization is needed. */
  readonly restore?: (block: DataView, to: Float32Array) => void;
}

const plain = (name: string, type: ElementType): Form => ({ name, type, block: 1, bytes: byteLength(type, 1) });

const blocks = (name: string, block: number, bytes: number, restore: NonNullable<Form['restore']>): Form => ({
  name,
  type: 'float32',
  block,
  bytes,
  restore,
});

const half = (view: DataView, at: number): number => fromFloat16(view.getUint16(at, true));

/**
 * Unpacks 32 codes of 4 bits, or of 5 with the fifth bits at `high`. Byte i has code i in its lower and code 16 + i in
 * its upper half.
 */
function restoreNibbles(view: DataView, to: Float32Array, at: number, meaning: (code: number) => number, high = -1) {
  const fifth = high < 0 ? 0 : view.getUint32(high, true);
  for (let i = 0; i < 16; i++) {
    const byte = view.getUint8(at + i);
    to[i] = meaning((byte & 15) | (((fifth >>> i) & 1) << 4));
    to[i + 16] = meaning((byte >> 4) | (((fifth >>> (i + 16)) & 1) << 4));
  }
}

/** The 6-bit scale and minimum of one of the 8 parts of a 256-element block. */
function scaleAndLeast(view: DataView, part: number): readonly [number, number] {
  const at = (i: number) => view.getUint8(4 + i);
  if (part < 4) return [at(part) & 63, at(part + 4) & 63];
  const low = at(part + 4);
  return [(low & 15) | ((at(part - 4) >> 6) << 4), (low >> 4) | ((at(part) >> 6) << 4)];
}

/** Dequantizes 256 codes of 4 bits, or of 5 with the fifth bits at `high`, in 8 parts. */
const restoreParts = (codes: number, high?: number) => (view: DataView, to: Float32Array) => {
  const [scales, leasts] = [half(view, 0), half(view, 2)];
  for (let part = 0; part < 8; part++) {
    const [scale, least] = scaleAndLeast(view, part);
    const [step, offset] = [Math.fround(scales * scale), Math.fround(leasts * least)];
    for (let i = 0; i < 32; i++) {
      const low = (view.getUint8(codes + (part >> 1) * 32 + i) >> ((part & 1) * 4)) & 15;
      const fifth = high === undefined ? 0 : (view.getUint8(high + i) >> part) & 1;
      to[part * 32 + i] = Math.fround(step * (low | (fifth << 4))) - offset;
    }
  }
};

/** Dequantizes 256 codes of 6 bits in 16 parts with 8-bit scales. */
function restoreSixes(view: DataView, to: Float32Array): void {
  const scale = half(view, 208);
  for (let i = 0; i < 256; i++) {
    const [group, within] = [i >> 7, i & 127];
    const low = (view.getUint8(group * 64 + (within & 63)) >> ((within >> 6) * 4)) & 15;
    const high = (view.getUint8(128 + group * 32 + (within & 31)) >> ((within >> 5) * 2)) & 3;
    to[i] = Math.fround(scale * view.getInt8(192 + (i >> 4))) * ((low | (high << 4)) - 32);
  }
}

function restoreBytes(view: DataView, to: Float32Array): void {
  const scale = half(view, 0);
  for (let i = 0; i < 32; i++) to[i] = scale * view.getInt8(2 + i);
}

/** Formats by ggml's type number. */
export const FORMS: Readonly<Record<number, Form>> = {
  0: plain('F32', 'float32'),
  1: plain('F16', 'float16'),
  2: blocks('Q4_0', 32, 18, (view, to) => {
    const scale = half(view, 0);
    restoreNibbles(view, to, 2, (code) => scale * (code - 8));
  }),
  3: blocks('Q4_1', 32, 20, (view, to) => {
    const [scale, least] = [half(view, 0), half(view, 2)];
    restoreNibbles(view, to, 4, (code) => Math.fround(scale * code) + least);
  }),
  6: blocks('Q5_0', 32, 22, (view, to) => {
    const scale = half(view, 0);
    restoreNibbles(view, to, 6, (code) => scale * (code - 16), 2);
  }),
  7: blocks('Q5_1', 32, 24, (view, to) => {
    const [scale, least] = [half(view, 0), half(view, 2)];
    restoreNibbles(view, to, 8, (code) => Math.fround(scale * code) + least, 4);
  }),
  8: blocks('Q8_0', 32, 34, restoreBytes),
  12: blocks('Q4_K', 256, 144, restoreParts(16)),
  13: blocks('Q5_K', 256, 176, restoreParts(48, 16)),
  14: blocks('Q6_K', 256, 210, restoreSixes),
  24: plain('I8', 'int8'),
  25: plain('I16', 'int16'),
  26: plain('I32', 'int32'),
  27: plain('I64', 'int64'),
  28: plain('F64', 'float64'),
  30: plain('BF16', 'bfloat16'),
};

/** A lazy float32 array that is dequantized when it is read. */
export function restoring(form: Form, stored: Uint8Array, count: number): LeftBytes {
  const { block, bytes } = form;
  const { range } = fileOf(stored);
  return new LeftBytes(count * 4, async (begin, end) => {
    const [first, last] = [Math.floor(begin / 4 / block), Math.ceil(end / 4 / block)];
    const numbers = restored(form, await range(first * bytes, last * bytes));
    const offset = first * block * 4;
    return new Uint8Array(numbers.buffer).subarray(begin - offset, end - offset);
  });
}

function restored({ block, bytes, restore }: Form, stored: Uint8Array): Float32Array {
  const numbers = new Float32Array((stored.length / bytes) * block);
  for (let i = 0; i * bytes < stored.length; i++)
    restore?.(
      new DataView(stored.buffer, stored.byteOffset + i * bytes, bytes),
      numbers.subarray(i * block, (i + 1) * block),
    );
  return numbers;
}
