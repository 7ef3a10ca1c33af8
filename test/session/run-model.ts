import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Value } from '../../src/graph/graph.js';
import { type Feeds, InferenceSession, type Results, type SessionOptions } from '../../src/index.js';
import type { HostValue, TensorValue } from '../../src/tensor/tensor-value.js';
import { f32 } from '../values.js';

export type Build = (b: ModelBuilder, x: Value) => void;

/** A model of opset 21 with input x, float32[2,3,4] unless said otherwise. */
export function modelOf(build: Build, dims: readonly (number | string)[] = [2, 3, 4], opset = 21): Uint8Array {
  const b = modelBuilder({ opset });
  build(b, b.input('x', 'float32', dims));
  return b.toBytes();
}

/** Numbers of a fixed sequence in −1…1. */
export function numbers(dims: readonly number[], seed = 1): TensorValue {
  const next = randomly(seed);
  const data = new Float32Array(dims.reduce((n, d) => n * d, 1));
  for (let i = 0; i < data.length; i++) data[i] = 2 * next() - 1;
  return f32(dims, data);
}

/** mulberry32: numbers in 0…1 from a seed. */
export function randomly(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export async function open(model: Uint8Array, options: SessionOptions = {}): Promise<InferenceSession> {
  return InferenceSession.create(model, options);
}

export const asTensorValue = (value: HostValue | undefined): TensorValue => value as TensorValue;

/** Equal types and dims; data within `tolerance` of the larger of 1 and the expected magnitude. */
export function assertClose(actual: Feeds, expected: Feeds, tolerance: number, message: string): void {
  assert.equal(Object.keys(actual), Object.keys(expected), message);
  for (const name in expected) {
    const [a, e] = [asTensorValue(actual[name]), asTensorValue(expected[name])];
    assert.is(`${a.type}[${a.dims}]`, `${e.type}[${e.dims}]`, `${message}: ${name}`);
    for (let i = 0; i < e.data.length; i++) {
      const [x, y] = [Number(a.data[i]), Number(e.data[i])];
      if (Object.is(x, y) || Math.abs(x - y) <= tolerance * Math.max(1, Math.abs(y))) continue;
      assert.unreachable(`${message}: ${name}[${i}] is ${x}, not ${y}`);
    }
  }
}

export type { Feeds, InferenceSession, Results, SessionOptions };
