import { TensorProto } from '../../../build/onnx.js';
import { aheadIn, fileOf, type Take } from '../../model/document/left-bytes.js';
import type { Model } from '../../model/document/model.js';
import { toNumber } from '../../model/int64.js';
import { ELEMENTS, type ElementType, elementTypeOf } from '../../tensor/element-types.js';
import { fromBfloat16, fromFloat16, toBfloat16, toFloat16 } from '../../tensor/half.js';
import { rawDataOf } from '../tensor-data.js';

/** The element types of weights that can be quantized. */
export type FloatType = 'float32' | 'float16' | 'bfloat16';

const FLOATS: readonly (ElementType | undefined)[] = ['float32', 'float16', 'bfloat16'] satisfies FloatType[];

export const dimsOf = ({ dims }: TensorProto): number[] => dims.map(toNumber);

export function floatTypeOf({ dataType }: TensorProto): FloatType | undefined {
  const type = elementTypeOf(dataType);
  return FLOATS.includes(type) ? (type as FloatType) : undefined;
}

/** Reads the elements from `begin` to `end`. */
export type FloatReader = (begin: number, end: number) => Promise<Float32Array>;

/** Makes a reader of a floating-point tensor, with memory from `take` if given. */
export async function floatReader(model: Model, tensor: TensorProto, take?: Take): Promise<FloatReader> {
  const type = floatTypeOf(tensor) as FloatType;
  const file = fileOf(await rawDataOf(tensor, model));
  const size = ELEMENTS[type].bits / 8;
  return async (begin, end) => WIDEN[type](await aheadIn(file, begin * size, end * size, take));
}

/** Reads all values of a floating-point tensor, with memory from `take` if given. */
export async function floatsOf(model: Model, tensor: TensorProto, take?: Take): Promise<Float32Array> {
  const read = await floatReader(model, tensor, take);
  return read(
    0,
    dimsOf(tensor).reduce((product, dim) => product * dim, 1),
  );
}

const aligned = (bytes: Uint8Array, unit: number): Uint8Array =>
  bytes.byteOffset % unit === 0 ? bytes : new Uint8Array(bytes);

const halves = (bytes: Uint8Array): Uint16Array => {
  const { buffer, byteOffset, length } = aligned(bytes, 2);
  return new Uint16Array(buffer, byteOffset, length / 2);
};

const WIDEN: Readonly<Record<FloatType, (bytes: Uint8Array) => Float32Array>> = {
  float32(bytes) {
    const { buffer, byteOffset, length } = aligned(bytes, 4);
    return new Float32Array(buffer, byteOffset, length / 4);
  },
  float16: (bytes) => Float32Array.from(halves(bytes), fromFloat16),
  bfloat16: (bytes) => Float32Array.from(halves(bytes), fromBfloat16),
};

const NARROW: Readonly<Record<FloatType, (values: Float32Array) => Float32Array | Uint16Array>> = {
  float32: (values) => values,
  float16: (values) => Uint16Array.from(values, toFloat16),
  bfloat16: (values) => Uint16Array.from(values, toBfloat16),
};

/** A tensor with data in memory. */
export function tensorOf(name: string, type: ElementType, dims: readonly number[], data: ArrayBufferView): TensorProto {
  const rawData = new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.byteLength);
  return new TensorProto({ name, dataType: ELEMENTS[type].onnx, dims: [...dims], rawData });
}

/** A floating-point tensor in the given type. */
export const floatTensor = (
  name: string,
  type: FloatType,
  dims: readonly number[],
  values: Float32Array,
): TensorProto => tensorOf(name, type, dims, NARROW[type](values));
