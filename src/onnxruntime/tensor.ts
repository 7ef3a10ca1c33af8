import { LazyTensor } from '../tensor/lazy-tensor.js';
import { isTensorValue } from '../tensor/tensor-value.js';
import { CompatibleTensor } from './compatible-tensor.js';
import type {
  OptionsDimensions,
  OptionsFormat,
  TensorFromImageDataOptions,
  TensorFromUrlOptions,
  TensorToImageDataOptions,
} from './images.js';

/** A type of the platform, or `Fallback` if the platform lacks it. */
export type Global<Name extends string, Fallback = unknown> = typeof globalThis extends {
  [K in Name]: { prototype: infer T };
}
  ? T
  : Fallback;

/** onnxruntime-common's tensor types, under its names. */
export declare namespace Tensor {
  interface DataTypeMap {
    float32: Float32Array;
    uint8: Uint8Array;
    int8: Int8Array;
    uint16: Uint16Array;
    int16: Int16Array;
    int32: Int32Array;
    int64: BigInt64Array;
    string: string[];
    bool: Uint8Array;
    float16: Uint16Array;
    float64: Float64Array;
    uint32: Uint32Array;
    uint64: BigUint64Array;
    uint4: Uint8Array;
    int4: Int8Array;
  }
  interface ElementTypeMap {
    float32: number;
    uint8: number;
    int8: number;
    uint16: number;
    int16: number;
    int32: number;
    int64: bigint;
    string: string;
    bool: boolean;
    float16: number;
    float64: number;
    uint32: number;
    uint64: bigint;
    uint4: number;
    int4: number;
  }
  type Type = keyof DataTypeMap;
  type DataType = DataTypeMap[Type];
  type ElementType = ElementTypeMap[Type];
  type CpuPinnedDataTypes = Exclude<Type, 'string'>;
  type TextureType = WebGLTexture;
  type TextureDataTypes = 'float32';
  type GpuBufferTypeFallback = { size: number; mapState: 'unmapped' | 'pending' | 'mapped' };
  type GpuBufferType = Global<'GPUBuffer', GpuBufferTypeFallback>;
  type GpuBufferDataTypes = 'float32' | 'float16' | 'int32' | 'int64' | 'uint32' | 'uint8' | 'bool';
  type MLTensorTypeFallback = { destroy(): void };
  type MLTensorType = Global<'MLTensor', MLTensorTypeFallback>;
  type MLTensorDataTypes = GpuBufferDataTypes | 'int8' | 'uint64' | 'uint4' | 'int4';
  type DataLocation = 'none' | 'cpu' | 'cpu-pinned' | 'texture' | 'gpu-buffer' | 'ml-tensor';
}

export interface ConversionUtils {
  toImageData(options?: TensorToImageDataOptions): ImageData;
  toDataURL(options?: TensorToImageDataOptions): string;
}

export interface TypedTensor<T extends Tensor.Type> extends ConversionUtils {
  readonly type: T;
  readonly dims: readonly number[];
  /** Number of elements. */
  readonly size: number;
  readonly data: Tensor.DataTypeMap[T];
  readonly location: Tensor.DataLocation;
  /** Throws an error when read, because no tensor is on a GPU. */
  readonly texture: Tensor.TextureType;
  readonly gpuBuffer: Tensor.GpuBufferType;
  readonly mlTensor: Tensor.MLTensorType;
  getData(releaseData?: boolean): Promise<Tensor.DataTypeMap[T]>;
  reshape(dims: readonly number[]): TypedTensor<T>;
  dispose(): void;
}

export interface Tensor extends TypedTensor<Tensor.Type> {}

type Dims = readonly number[];

interface Located<T> {
  readonly type: T;
  readonly dims: Dims;
}
interface Downloadable<T extends Tensor.Type> {
  download?(): Promise<Tensor.DataTypeMap[T]>;
  dispose?(): void;
}
export interface CpuPinnedConstructorParameters<T extends Tensor.CpuPinnedDataTypes = Tensor.CpuPinnedDataTypes>
  extends Located<T> {
  readonly location: 'cpu-pinned';
  readonly data: Tensor.DataTypeMap[T];
}
export interface TextureConstructorParameters<T extends 'float32' = 'float32'> extends Located<T>, Downloadable<T> {
  readonly location: 'texture';
  readonly texture: Tensor.TextureType;
}
export interface GpuBufferConstructorParameters<T extends Tensor.GpuBufferDataTypes = Tensor.GpuBufferDataTypes>
  extends Located<T>,
    Downloadable<T> {
  readonly location: 'gpu-buffer';
  readonly gpuBuffer: Tensor.GpuBufferType;
}
export interface MLTensorConstructorParameters<T extends Tensor.MLTensorDataTypes = Tensor.MLTensorDataTypes>
  extends Located<T>,
    Downloadable<T> {
  readonly location: 'ml-tensor';
  readonly mlTensor: Tensor.MLTensorType;
}
export interface TensorFromTextureOptions<T extends 'float32'>
  extends Required<OptionsDimensions>,
    OptionsFormat,
    Downloadable<T> {}
export interface TensorFromGpuBufferOptions<T extends Tensor.GpuBufferDataTypes> extends Downloadable<T> {
  readonly dims: Dims;
  dataType?: T;
}
export interface TensorFromMLTensorOptions<T extends Tensor.MLTensorDataTypes> extends Downloadable<T> {
  readonly dims: Dims;
  dataType?: T;
}

export interface TensorFactory {
  /** A tensor float32[1, 3 or 4, height, width] of an image, with the size of the image unless options resize it. */
  fromImage(
    image: ImageData | HTMLImageElement | ImageBitmap,
    options?: TensorFromImageDataOptions,
  ): Promise<TypedTensor<'float32'>>;
  fromImage(url: string, options?: TensorFromUrlOptions): Promise<TypedTensor<'float32'>>;
  fromPinnedBuffer<T extends Tensor.CpuPinnedDataTypes>(
    type: T,
    buffer: Tensor.DataTypeMap[T],
    dims?: Dims,
  ): TypedTensor<T>;
  /** Throws an error, like the following two methods, because there are no tensors on a GPU. */
  fromTexture(texture: Tensor.TextureType, options: TensorFromTextureOptions<'float32'>): TypedTensor<'float32'>;
  fromGpuBuffer<T extends Tensor.GpuBufferDataTypes>(
    buffer: Tensor.GpuBufferType,
    options: TensorFromGpuBufferOptions<T>,
  ): TypedTensor<T>;
  fromMLTensor<T extends Tensor.MLTensorDataTypes>(
    tensor: Tensor.MLTensorType,
    options: TensorFromMLTensorOptions<T>,
  ): TypedTensor<T>;
}

export interface TensorConstructor extends TensorFactory {
  new (type: 'string', data: readonly string[], dims?: Dims): TypedTensor<'string'>;
  new (type: 'bool', data: Uint8Array | readonly boolean[], dims?: Dims): TypedTensor<'bool'>;
  new (type: 'uint8', data: Uint8ClampedArray, dims?: Dims): TypedTensor<'uint8'>;
  new <T extends 'uint64' | 'int64'>(
    type: T,
    data: Tensor.DataTypeMap[T] | readonly bigint[] | readonly number[],
    dims?: Dims,
  ): TypedTensor<T>;
  new <T extends Exclude<Tensor.Type, 'string' | 'bool' | 'uint64' | 'int64'>>(
    type: T,
    data: Tensor.DataTypeMap[T] | readonly number[],
    dims?: Dims,
  ): TypedTensor<T>;
  new (data: Float32Array, dims?: Dims): TypedTensor<'float32'>;
  new (data: Int8Array, dims?: Dims): TypedTensor<'int8'>;
  new (data: Uint8Array | Uint8ClampedArray, dims?: Dims): TypedTensor<'uint8'>;
  new (data: Uint16Array, dims?: Dims): TypedTensor<'uint16'>;
  new (data: Int16Array, dims?: Dims): TypedTensor<'int16'>;
  new (data: Int32Array, dims?: Dims): TypedTensor<'int32'>;
  new (data: BigInt64Array, dims?: Dims): TypedTensor<'int64'>;
  new (data: readonly string[], dims?: Dims): TypedTensor<'string'>;
  new (data: readonly boolean[], dims?: Dims): TypedTensor<'bool'>;
  new (data: Float64Array, dims?: Dims): TypedTensor<'float64'>;
  new (data: Uint32Array, dims?: Dims): TypedTensor<'uint32'>;
  new (data: BigUint64Array, dims?: Dims): TypedTensor<'uint64'>;
  new (
    type: Tensor.Type,
    data: Tensor.DataType | readonly number[] | readonly string[] | readonly bigint[] | readonly boolean[],
    dims?: Dims,
  ): Tensor;
  new (data: Tensor.DataType, dims?: Dims): Tensor;
}

export const Tensor = CompatibleTensor as unknown as TensorConstructor;

/** Replaces tensors of other libraries in a value by `Tensor`. */
export function toCommon(value: unknown): unknown {
  if (value instanceof CompatibleTensor) return value;
  if (LazyTensor.is(value)) return CompatibleTensor.of(value);
  if (isTensorValue(value)) return new Tensor(value.type as Tensor.Type, value.data as Tensor.DataType, value.dims);
  return Array.isArray(value) ? value.map(toCommon) : value;
}
