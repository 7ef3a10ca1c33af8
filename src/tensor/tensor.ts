import { SardonyxError } from '../errors.js';
import { inspectable } from '../inspection.js';
import {
  dataLength,
  ELEMENTS,
  type ElementType,
  type TypedArray,
  type TypedArrayConstructor,
} from './element-types.js';
import { ENCODERS } from './numbers.js';
import { elementCount, type HostValue, isTensorValue, type TensorValue } from './tensor-value.js';

export type TensorData = TypedArray | readonly string[];
type LooseData = TensorData | Uint8ClampedArray | readonly number[] | readonly bigint[] | readonly boolean[];

/** A multi-dimensional array in row-major order, with the names of onnxruntime-common. */
export class Tensor implements TensorValue {
  readonly type: ElementType;
  readonly data: TensorData;
  readonly dims: readonly number[];
  /** Sardonyx's tensors live in JavaScript memory, until they are disposed of. */
  readonly location: 'cpu' | 'none' = 'cpu';

  static {
    inspectable(Tensor.prototype, 'Tensor', (tensor) => {
      const { type, dims } = tensor;
      return tensor.location === 'none' ? { type, dims, disposed: true } : { type, dims, data: tensor.data };
    });
  }

  /**
   * @param type element type
   * @param data one entry per element (two per complex number; elements below 8 bits packed, low bits first); plain
   *   arrays are converted, numbers to float16 and bfloat16 too
   * @param dims sizes of the dimensions; one dimension of all elements if left out
   * @throws SardonyxError INVALID_TYPE or INVALID_SHAPE where data, type and dims do not fit together
   */
  constructor(type: ElementType, data: LooseData, dims?: readonly number[]);
  /** The element type follows from the data. */
  constructor(data: LooseData, dims?: readonly number[]);
  constructor(first: ElementType | LooseData, second?: LooseData | readonly number[], third?: readonly number[]) {
    const typed = typeof first === 'string';
    const given = (typed ? second : first) as LooseData;
    this.type = typed ? first : typeOfData(given);
    this.data = convert(this.type, given);
    this.dims = Object.freeze([...((typed ? third : (second as readonly number[] | undefined)) ?? [this.data.length])]);
    checkTensor(this);
  }

  /** Number of elements. */
  get size(): number {
    return elementCount(this.dims);
  }

  async getData(): Promise<TensorData> {
    return this.data;
  }

  /** The same data under other dims. */
  reshape(dims: readonly number[]): Tensor {
    return new Tensor(this.type, this.data, dims);
  }

  /** Lets go of the data; reading them is an error from now on. */
  dispose(): void {
    (this as { location: string }).location = 'none';
    Object.defineProperty(this, 'data', { get: refuseDisposed });
  }
}

function refuseDisposed(): never {
  throw new SardonyxError('RELEASED', 'the tensor has been disposed of');
}

/** The value with a `Tensor` for every tensor in it. */
export function asTensor(value: HostValue): HostValue {
  if (isTensorValue(value)) return new Tensor(value.type, value.data, value.dims);
  return Array.isArray(value) ? value.map(asTensor) : value;
}

/** Checks that a tensor-like object is whole: known type, data of that type, as many elements as its dims say. */
export function checkTensor({ type, data, dims }: TensorValue, name?: string): void {
  const place = name === undefined ? {} : { value: name };
  const facts = ELEMENTS[type];
  if (!facts)
    throw new SardonyxError(
      'INVALID_TYPE',
      `"${type}" is no element type; those are ${Object.keys(ELEMENTS).join(', ')}`,
      place,
    );
  if (!areDims(dims)) {
    throw new SardonyxError('INVALID_SHAPE', `dims [${dims}] must be whole numbers from 0 on`, place);
  }
  const fits = facts.array ? data instanceof facts.array || isHalf(type, data) : Array.isArray(data);
  if (!fits) {
    const wanted = facts.array ? facts.array.name : 'string[]';
    throw new SardonyxError('INVALID_TYPE', `data of ${type} must be ${wanted}, not ${nameOf(data)}`, place);
  }
  const length = dataLength(type, elementCount(dims));
  if (data.length !== length) {
    throw new SardonyxError(
      'INVALID_SHAPE',
      `${type}[${dims}] holds ${length} entries, the data has ${data.length}`,
      place,
    );
  }
}

function areDims(dims: unknown): boolean {
  if (!Array.isArray(dims)) return false;
  for (let i = 0; i < dims.length; i++) if (!Number.isSafeInteger(dims[i]) || dims[i] < 0) return false;
  return true;
}

const isFloat16Array = (data: unknown) => nameOf(data) === 'Float16Array';

const isHalf = (type: ElementType, data: unknown) => type === 'float16' && isFloat16Array(data);

const nameOf = (data: unknown) => (data as object | null)?.constructor?.name ?? String(data);

function typeOfData(data: LooseData): ElementType {
  if (data instanceof Uint8ClampedArray) return 'uint8';
  if (isFloat16Array(data)) return 'float16';
  if (Array.isArray(data)) {
    const kind = typeof data[0];
    return kind === 'bigint' ? 'int64' : kind === 'boolean' ? 'bool' : kind === 'string' ? 'string' : 'float32';
  }
  const entry = Object.entries(ELEMENTS).find(([, { array }]) => array && data instanceof array);
  if (!entry)
    throw new SardonyxError('INVALID_TYPE', `no element type for ${nameOf(data)}; name one as the first argument`);
  return entry[0] as ElementType;
}

function convert(type: ElementType, data: LooseData): TensorData {
  const array = ELEMENTS[type]?.array as TypedArrayConstructor | null | undefined;
  if (!array || !data) return data as TensorData;
  if (Array.isArray(data)) return fromList(type, array, data);
  if (data instanceof Uint8ClampedArray) return new Uint8Array(data.buffer, data.byteOffset, data.length);
  if (isHalf(type, data)) {
    const { buffer, byteOffset, length } = data as Uint16Array;
    return new Uint16Array(buffer, byteOffset, length);
  }
  return data as TypedArray;
}

function fromList(type: ElementType, array: TypedArrayConstructor, list: readonly unknown[]): TypedArray {
  const encode = ENCODERS[type] ?? Number;
  const data = new array(list.length);
  const wide = data instanceof BigInt64Array || data instanceof BigUint64Array;
  list.forEach((entry, i) => {
    data[i] = (wide ? BigInt(entry as number) : encode(Number(entry))) as never;
  });
  return data;
}
