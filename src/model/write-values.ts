import { MapProto, OptionalProto, SequenceProto, TensorProto } from '../../build/onnx.js';
import { isA } from '../base/kind.js';
import type { ValueType } from '../graph/types.js';
import { ELEMENTS, type ElementType } from '../tensor/element-types.js';
import { type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import { fromBigInt } from './int64.js';
import { writeTensorProto } from './write-attributes.js';
import { encode } from './write-protobuf.js';

/**
 * Serializes a value like a file of ONNX's test data sets; `readValue` reads it with the kind of the same type. Without a type, a tensor,
 * sequence or map is written as such.
 */
export function writeValue(value: HostValue, name = '', type?: ValueType): Uint8Array {
  if (type?.kind === 'optional' || value === null) return encode(OptionalProto, { ...optional(value, type), name });
  if (isTensorValue(value)) return encode(TensorProto, writeTensorProto(value, name));
  if (isA(value, 'Map')) return encode(MapProto, { ...map(value, type), name });
  return encode(SequenceProto, { ...sequence(value as readonly HostValue[], type), name });
}

const elementsOf = (type: ValueType | undefined) =>
  type?.kind === 'sequence' || type?.kind === 'optional' ? type.of : undefined;

function optional(value: HostValue, type?: ValueType): OptionalProto.$Properties {
  const { DataType } = SequenceProto;
  if (value === null) return { elemType: DataType.UNDEFINED };
  if (isTensorValue(value)) return { elemType: DataType.TENSOR, tensorValue: writeTensorProto(value) };
  if (isA(value, 'Map')) return { elemType: DataType.MAP, mapValue: map(value, elementsOf(type)) };
  return { elemType: DataType.SEQUENCE, sequenceValue: sequence(value as readonly HostValue[], elementsOf(type)) };
}

function sequence(items: readonly HostValue[], type?: ValueType): SequenceProto.$Properties {
  const { DataType } = SequenceProto;
  const [first] = items;
  const kind = elementsOf(type)?.kind ?? (isA(first, 'Map') ? 'map' : Array.isArray(first) ? 'sequence' : 'tensor');
  switch (kind) {
    case 'map':
      return {
        elemType: DataType.MAP,
        mapValues: items.map((item) => map(item as ReadonlyMap<unknown, unknown>, elementsOf(type))),
      };
    case 'sequence':
      return {
        elemType: DataType.SEQUENCE,
        sequenceValues: items.map((item) => sequence(item as readonly HostValue[], elementsOf(type))),
      };
    case 'optional':
      return { elemType: DataType.OPTIONAL, optionalValues: items.map((item) => optional(item, elementsOf(type))) };
    default:
      return { elemType: DataType.TENSOR, tensorValues: items.map((item) => writeTensorProto(item as TensorValue)) };
  }
}

function map(entries: ReadonlyMap<unknown, unknown>, type?: ValueType): MapProto.$Properties {
  const keys = [...entries.keys()];
  const values = sequence([...entries.values()].map(asTensor));
  if (keys.every((key) => typeof key === 'string')) {
    const encoder = new TextEncoder();
    return { keyType: ELEMENTS.string.onnx, stringKeys: keys.map((key) => encoder.encode(key)), values };
  }
  const keyType = ELEMENTS[type?.kind === 'map' ? type.key : 'int64'].onnx;
  return { keyType, keys: keys.map((key) => fromBigInt(BigInt(key as number | bigint))), values };
}

const SCALARS: Record<string, (value: never) => [ElementType, TensorValue['data']]> = {
  number: (value) => ['float32', Float32Array.of(value)],
  bigint: (value) => ['int64', BigInt64Array.of(value)],
  string: (value) => ['string', [value]],
};

/** The value of a map may also be a plain number or string. */
function asTensor(value: unknown): HostValue {
  const scalar = SCALARS[typeof value];
  if (!scalar) return value as HostValue;
  const [type, data] = scalar(value as never);
  return { type, dims: [], data };
}
