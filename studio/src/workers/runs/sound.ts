import type { TensorValue, ValueMetadata } from 'sardonyx';
import { Tensor } from 'sardonyx';
import type { OpenSizes } from '../contracts/feeding.js';

type TensorInput = Extract<ValueMetadata, { isTensor: true }>;

/** Samples between -1 and 1 as the last dimension of an input, cut or padded with silence if its size is fixed. */
export function fitSamples({ type, shape }: TensorInput, samples: Float32Array, sizes: OpenSizes): TensorValue {
  const last = shape.at(-1);
  const length = typeof last === 'number' ? last : samples.length;
  const dims = shape.map((size, i) =>
    i === shape.length - 1 ? length : typeof size === 'number' ? size : (sizes.get(size) ?? 1),
  );
  const rows = dims.slice(0, -1).reduce((a, b) => a * b, 1);
  if (shape.length === 0 || rows !== 1)
    throw new Error(`mono audio has shape [1, samples], and the input has shape [${shape.join(', ')}]`);
  const data = new Float32Array(length);
  data.set(samples.subarray(0, length));
  if (type === 'float32') return new Tensor('float32', data, dims);
  if (type === 'float64') return new Tensor('float64', Float64Array.from(data), dims);
  if (type === 'int16') return new Tensor('int16', Int16Array.from(data, toInt16), dims);
  throw new Error(`audio must be float32, float64, or int16, and the input is ${type}`);
}

const toInt16 = (sample: number) => Math.max(-32768, Math.min(32767, Math.round(sample * 32767)));
