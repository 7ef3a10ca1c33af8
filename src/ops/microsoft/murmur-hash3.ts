import { tensorType } from '../../graph/types.js';
import { int } from '../../schema/attributes.js';
import { defineOp } from '../../schema/definition.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import type { TensorValue } from '../../tensor/tensor-value.js';

const rotated = (x: number, by: number): number => (x << by) | (x >>> (32 - by));
const scrambled = (k: number): number => Math.imul(rotated(Math.imul(k, 0xcc9e2d51), 15), 0x1b873593);

/** MurmurHash3_x86_32: https://github.com/aappleby/smhasher/wiki/MurmurHash3 */
function hashOf(bytes: Uint8Array, seed: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const whole = bytes.length & ~3;
  let h = seed;
  for (let i = 0; i < whole; i += 4)
    h = (Math.imul(rotated(h ^ scrambled(view.getInt32(i, true)), 13), 5) + 0xe6546b64) | 0;
  const tail = bytes.subarray(whole).reduceRight((k, byte) => (k << 8) | byte, 0);
  h ^= scrambled(tail) ^ bytes.length;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** The bytes of each element. */
function keysOf({ type, data }: TensorValue): Uint8Array[] {
  if (type === 'string') return (data as readonly string[]).map((text) => new TextEncoder().encode(text));
  const { buffer, byteOffset, byteLength } = data as Float32Array;
  const size = ELEMENTS[type].bits / 8;
  return Array.from({ length: byteLength / size }, (_, i) => new Uint8Array(buffer, byteOffset + i * size, size));
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MurmurHash3 */
export const murmurHash3 = defineOp({
  domain: 'com.microsoft',
  name: 'MurmurHash3',
  signature: 'X: T1 -> Y: T2',
  types: {
    T1: ['uint32', 'int32', 'uint64', 'int64', 'float32', 'float64', 'string'],
    T2: ['uint32', 'int32'],
  },
  readsBits: true,
  attributes: { positive: int(1), seed: int(0) },
  infer: (c) => [tensorType(c.attributes.positive ? 'uint32' : 'int32', c.dims(0))],
  evaluate(c) {
    const x = c.tensor(0);
    const { positive, seed } = c.attributes;
    const hashes = keysOf(x).map((key) => hashOf(key, seed));
    return positive
      ? [{ type: 'uint32', dims: x.dims, data: Uint32Array.from(hashes) }]
      : [{ type: 'int32', dims: x.dims, data: Int32Array.from(hashes) }];
  },
});
