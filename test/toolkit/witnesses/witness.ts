import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { loadModel, type Model } from '../../../src/tools/index.js';

const TYPES = { uint8: Uint8Array, int8: Int8Array, int16: Int16Array, float32: Float32Array } as const;

interface Stored {
  readonly name: string;
  readonly type: keyof typeof TYPES;
  readonly dims: readonly number[];
}

export type Numbers = InstanceType<(typeof TYPES)[keyof typeof TYPES]>;

export type Name = 'glyphs' | 'finder' | 'passages' | 'letters';

/** A trained model, what it is judged and calibrated by, and how well torch does. */
export interface Witness {
  readonly model: Model;
  readonly arrays: Readonly<Record<string, Numbers>>;
  readonly scores: Readonly<Record<string, number>>;
}

const read = (file: string): Buffer => readFileSync(new URL(file, import.meta.url));

export async function witness(name: Name): Promise<Witness> {
  const { arrays, scores } = JSON.parse(read(`${name}.json`).toString()) as {
    arrays: Stored[];
    scores: Record<string, number>;
  };
  const { buffer } = new Uint8Array(gunzipSync(read(`${name}.bin.gz`)));
  let at = 0;
  const found = arrays.map(({ name, type, dims }) => {
    const count = dims.reduce((product, dim) => product * dim, 1);
    const values = new TYPES[type](buffer.slice(at, at + count * TYPES[type].BYTES_PER_ELEMENT));
    at += values.byteLength;
    return [name, values] as const;
  });
  return { model: await loadModel(new Uint8Array(read(`${name}.onnx`))), arrays: Object.fromEntries(found), scores };
}

/** Grey pictures of 16 levels, two pixels to a byte, as [n, 1, size, size]; n of them at a time. */
export function* pictures(bytes: Numbers, size: number, n: number): Generator<TensorValue> {
  const area = size * size;
  for (let from = 0; from < bytes.length * 2; from += n * area) {
    const own = bytes.subarray(from / 2, (from + n * area) / 2);
    const data = Float32Array.from({ length: own.length * 2 }, (_, i) => {
      const byte = own[i >> 1] as number;
      return (i % 2 === 0 ? byte & 15 : byte >> 4) / 15;
    });
    yield { type: 'float32', dims: [data.length / area, 1, size, size], data };
  }
}

/** Rows of integers as [n, width]. */
export function* rows(numbers: Numbers, width: number, n: number): Generator<TensorValue> {
  for (let from = 0; from < numbers.length; from += n * width) {
    const data = BigInt64Array.from(numbers.subarray(from, from + n * width), BigInt);
    yield { type: 'int64', dims: [data.length / width, width], data };
  }
}
