// Cases and what onnxruntime makes of them, as they are kept in expected/: one file an operator.

import type { TensorValue } from '../../src/tensor/tensor-value.js';
import type { Tolerance } from '../conformance/compare.js';
import { bytesOfData, dataOfBytes } from './tensor-bytes.js';

/** A tensor: its data are bytes in base64, or strings. */
interface StoredValue {
  readonly type: TensorValue['type'];
  readonly dims: readonly number[];
  readonly data: string | readonly string[];
}

type Stored = Readonly<Record<string, StoredValue>>;

export interface StoredCase {
  readonly label: string;
  /** The ONNX file in base64. */
  readonly model: string;
  readonly feeds: Stored;
  readonly expected: Stored;
  readonly tolerance?: Tolerance;
}

/** What a model whose runs follow each other gave in each. */
export interface StoredRuns {
  readonly witness: string;
  readonly expected: readonly Stored[];
}

export const DEFAULT_TOLERANCE: Tolerance = { relative: 1e-4, absolute: 1e-5 };

export interface StoredCases {
  readonly op: string;
  readonly domain: string;
  /** What made the results. */
  readonly witness: string;
  readonly tolerance: Tolerance;
  readonly cases: readonly StoredCase[];
}

const storedValue = ({ type, dims, data }: TensorValue): StoredValue => ({
  type,
  dims,
  data: type === 'string' ? [...(data as readonly string[])] : bytesOfData(data).toString('base64'),
});

const readValue = ({ type, dims, data }: StoredValue): TensorValue =>
  ({
    type,
    dims,
    data: typeof data === 'string' ? dataOfBytes(type, Buffer.from(data, 'base64')) : data,
  }) as TensorValue;

const each = <T, U>(values: Readonly<Record<string, T>>, f: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, f(value)]));

export const stored = (values: Readonly<Record<string, TensorValue>>): Stored => each(values, storedValue);
export const read = (values: Stored): Record<string, TensorValue> => each(values, readValue);
