import { CompatibleTensor } from './compatible-tensor.js';
import type { ImageOptions, ImageSource } from './images.js';

/** onnxruntime-common's types of tensors, under its names. */
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
  type DataLocation = 'none' | 'cpu' | 'cpu-pinned' | 'texture' | 'gpu-buffer' | 'ml-tensor';
}

export interface TypedTensor<T extends Tensor.Type> {
  readonly type: T;
  readonly dims: readonly number[];
  /** Number of elements. */
  readonly size: number;
  readonly data: Tensor.DataTypeMap[T];
  readonly location: Tensor.DataLocation;
  /** Reading it throws: no tensor is on a GPU. */
  readonly texture: never;
  readonly gpuBuffer: never;
  readonly mlTensor: never;
  getData(releaseData?: boolean): Promise<Tensor.DataTypeMap[T]>;
  reshape(dims: readonly number[]): TypedTensor<T>;
  dispose(): void;
  toImageData(options?: ImageOptions): ImageData;
  toDataURL(options?: ImageOptions): string;
}

export interface Tensor extends TypedTensor<Tensor.Type> {}

type Dims = readonly number[];

export interface TensorConstructor {
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

  /** A tensor float32[1, 3 or 4, height, width] of a picture; its sizes are those of the picture unless options resize it. */
  fromImage(image: ImageSource, options?: ImageOptions): Promise<TypedTensor<'float32'>>;
  fromPinnedBuffer<T extends Exclude<Tensor.Type, 'string'>>(
    type: T,
    buffer: Tensor.DataTypeMap[T],
    dims?: Dims,
  ): TypedTensor<T>;
  /** Throws: there are no tensors on a GPU. */
  fromTexture(texture: unknown, options: unknown): never;
  fromGpuBuffer(buffer: unknown, options: unknown): never;
  fromMLTensor(tensor: unknown, options: unknown): never;
}

export const Tensor = CompatibleTensor as unknown as TensorConstructor;
