import { unreadable } from '../base/arguments.js';
import { dispose } from '../base/disposal.js';
import { SardonyxError } from '../base/errors.js';
import { isA } from '../base/kind.js';
import { onDemand } from '../base/on-demand.js';
import { shown } from '../base/shown.js';
import type { FromImageOptions, ToImageDataOptions } from '../image/common-options.js';
import type { ImageSource } from '../image/source.js';
import type { PictureType } from '../image/tensor-form.js';
import { inspectable } from '../inspection.js';
import { checkDims, checkLength, checkType, isFloat16Array, isHalf, mismatch } from './check-tensor.js';
import { type DataOf, ELEMENTS, type ElementType, isArrayOf, type TypedArray } from './element-types.js';
import { type ListOf, listedData } from './listed-data.js';
import { elementCount, type HostValue, isTensorValue, type TensorValue } from './tensor-value.js';

/** The data of a tensor of any type. */
export type TensorData = TypedArray | readonly string[];

/** The platform's Float16Array, if its types declare one. */
type HalfFloats = typeof globalThis extends { Float16Array: { prototype: infer Halves } } ? Halves : never;

/** Data for a tensor of type T. */
export type TensorInput<T extends ElementType = ElementType> =
  | DataOf<T>
  | ListOf<T>
  | (T extends 'float16' ? HalfFloats : T extends 'uint8' ? Uint8ClampedArray : never);

/** Data whose array type determines the element type. */
interface Telling {
  float32: Float32Array | readonly number[];
  float64: Float64Array;
  float16: HalfFloats;
  int8: Int8Array;
  uint8: Uint8Array | Uint8ClampedArray;
  int16: Int16Array;
  uint16: Uint16Array;
  int32: Int32Array;
  uint32: Uint32Array;
  int64: BigInt64Array | readonly bigint[];
  uint64: BigUint64Array;
  bool: readonly boolean[];
  string: readonly string[];
}

type TypeOf<D> = { [T in keyof Telling]: D extends Telling[T] ? T : never }[keyof Telling];

/** A tensor of one element type. */
export interface TypedTensor<T extends ElementType> extends TensorValue<T> {
  /** The data in row-major order, of array type `DataOf<T>`. */
  readonly data: DataOf<T>;
  /** Number of elements. */
  readonly size: number;
  /** `cpu`, or `none` once the tensor has been disposed of. */
  readonly location: 'cpu' | 'none';
  /** Resolves to `data`; as in onnxruntime. */
  getData(): Promise<DataOf<T>>;
  /** A tensor of the same data with other dims. */
  reshape(dims: readonly number[]): Tensor<T>;
  /** Converts the tensor to an image: `toImageData` of `sardonyx/image`, loaded on demand. Accepts onnxruntime's options too. */
  toImageData(options?: ToImageDataOptions): Promise<ImageData>;
  /** Frees the data; reading it throws an error from now on. */
  dispose(): void;
  /** Called by `using` at the end of the block. */
  [dispose](): void;
}

/**
 * A multi-dimensional array in row-major order, with the property names of onnxruntime-common. If the element type is unknown, `type`
 * narrows it: in `if (x.type === 'float32') x.data`, the data is a Float32Array.
 */
export type Tensor<T extends ElementType = ElementType> = { [K in T]: TypedTensor<K> }[T];

/**
 * Constructors of tensors.
 * @example new Tensor('float32', [1, 2, 3, 4], [2, 2])
 */
export interface TensorConstructor {
  /**
   * @param type element type
   * @param data an array in the type's storage format, used without a copy (elements below 8 bits packed, low bits first; small floats as
   * bits; complex numbers as two entries each), or a plain list of elements, which is checked, converted and packed: floats are rounded,
   * integers must be in the range of their type
   * @param dims sizes of the dimensions; by default one dimension of all elements
   * @throws SardonyxError INVALID_TYPE, INVALID_VALUE or INVALID_SHAPE if type, data and dims do not match
   */
  new <T extends ElementType>(type: T, data: TensorInput<T>, dims?: readonly number[]): Tensor<T>;
  /** Infers the element type from the data: a list of numbers is float32, of bigints int64. */
  new <D extends Telling[keyof Telling]>(data: D, dims?: readonly number[]): Tensor<TypeOf<D>>;
  /** Converts images to a tensor: `imageTensor` of `sardonyx/image`, loaded on demand. Accepts onnxruntime's options too. */
  fromImage(source: ImageSource | readonly ImageSource[], options?: FromImageOptions): Promise<Tensor<PictureType>>;
  readonly prototype: Tensor;
}

const USE = "e.g. new Tensor('float32', [1, 2, 3, 4], [2, 2])";

/** Placeholder for data that a subclass provides; type and dims are not checked. */
export const LATER = Symbol();

/** The class behind `Tensor`. */
export class OwnTensor implements TensorValue {
  /** The name in consoles. */
  static readonly name: string = 'Tensor';
  readonly type: ElementType;
  declare readonly data: TensorData;
  readonly dims: readonly number[];
  readonly location: 'cpu' | 'none' = 'cpu';

  static {
    inspectable(OwnTensor.prototype, 'Tensor', (tensor) => {
      const { type, dims } = tensor;
      return tensor.location === 'none' ? { type, dims, disposed: true } : { type, dims, data: tensor.data };
    });
  }

  constructor(first?: unknown, second?: unknown, third?: unknown) {
    if (second === LATER) {
      this.type = first as ElementType;
      this.dims = third as readonly number[];
      return;
    }
    const isTyped = typeof first === 'string';
    const given = isTyped ? second : first;
    const dims = isTyped ? third : second;
    try {
      if (!isTyped && !isData(given)) throw noData(given);
      this.type = isTyped ? checkedType(first) : typeOf(given);
      this.data = dataOf(this.type, given);
      this.dims = Object.freeze(
        dims === undefined || dims === null ? [countOf(this.type, given as ArrayLike<unknown>)] : copied(dims),
      );
      checkLength(this.type, this.data, this.dims);
    } catch (thrown) {
      throw unreadable("the tensor's type, data or dims", thrown);
    }
  }

  get size(): number {
    return elementCount(this.dims);
  }

  async getData(): Promise<TensorData> {
    return this.data;
  }

  reshape(dims: readonly number[]): OwnTensor {
    return new OwnTensor(this.type, this.data, dims);
  }

  static async fromImage(
    source: ImageSource | readonly ImageSource[],
    options?: FromImageOptions,
  ): Promise<TensorValue> {
    const { fromImage } = await onDemand('from-image', () => import('../image/from-image.js'), INSTEAD);
    return asTensor(await fromImage(source, options)) as TensorValue;
  }

  async toImageData(options?: ToImageDataOptions): Promise<ImageData> {
    const { imageDataOf } = await onDemand('image-data-of', () => import('../image/image-data-of.js'), INSTEAD);
    return imageDataOf(this, options);
  }

  dispose(): void {
    (this as { location: string }).location = 'none';
    Object.defineProperty(this, 'data', { get: refuseDisposed });
  }

  /** Called by `using` at the end of the block. */
  [dispose](): void {
    this.dispose();
  }
}

export const Tensor: TensorConstructor = OwnTensor as unknown as TensorConstructor;

const INSTEAD = "import 'sardonyx/image'";

function refuseDisposed(): never {
  throw new SardonyxError('RELEASED', 'the tensor has been disposed of');
}

/** The value with each tensor as a `Tensor`. */
export function asTensor(value: HostValue): HostValue {
  if (value instanceof OwnTensor) return value;
  if (isTensorValue(value)) return new OwnTensor(value.type, value.data, value.dims);
  return Array.isArray(value) ? value.map(asTensor) : value;
}

function checkedType(type: string): ElementType {
  checkType(type);
  return type;
}

function copied(dims: unknown): readonly number[] {
  checkDims(dims);
  return [...dims];
}

const isData = (data: unknown): boolean => Array.isArray(data) || ArrayBuffer.isView(data);

const noData = (data: unknown) =>
  new SardonyxError(
    'INVALID_TYPE',
    `a tensor takes a type, data as a list or typed array, and dims, ${USE}; got ${shown(data)}`,
  );

const TELLING = Object.entries(ELEMENTS) as [ElementType, (typeof ELEMENTS)[ElementType]][];

function typeOf(data: unknown): ElementType {
  if (Array.isArray(data)) return LISTED[typeof data[0]] ?? 'float32';
  if (isA(data, 'Uint8ClampedArray')) return 'uint8';
  if (isFloat16Array(data)) return 'float16';
  const entry = TELLING.find(([, { array }]) => array && isArrayOf(array, data));
  if (entry) return entry[0];
  throw new SardonyxError('INVALID_TYPE', `no element type for ${shown(data)}; name one as the first argument, ${USE}`);
}

const LISTED: Readonly<Record<string, ElementType>> = { bigint: 'int64', boolean: 'bool', string: 'string' };

/** The data in the type's storage format. */
function dataOf(type: ElementType, data: unknown): TensorData {
  const { array } = ELEMENTS[type];
  if (Array.isArray(data)) return listedData(type, data);
  if (type === 'uint8' && isA(data, 'Uint8ClampedArray')) return viewed(Uint8Array, data);
  if (isHalf(type, data)) return viewed(Uint16Array, data as Uint16Array);
  if (array && isArrayOf(array, data)) return data;
  throw mismatch(type, data, ' or a list');
}

type View<A> = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => A;

const viewed = <A>(View: View<A>, { buffer, byteOffset, length }: Uint16Array | Uint8ClampedArray): A =>
  new View(buffer, byteOffset, length);

/** Number of elements in the data; those of a list are not packed yet. */
function countOf(type: ElementType, data: ArrayLike<unknown>): number {
  const { bits, entries = 1 } = ELEMENTS[type];
  const isPacked = bits > 0 && bits < 8 && !Array.isArray(data);
  return isPacked ? (data.length * 8) / bits : Math.floor(data.length / entries);
}
