import { MapProto, OptionalProto, SequenceProto, SparseTensorProto, TensorProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import type { ValueType } from '../graph/types.js';
import { elementTypeOf } from '../tensor/element-types.js';
import type { HostValue } from '../tensor/tensor-value.js';
import { type Int64, toBigInt, toNumber } from './int64.js';
import { decode, text } from './read-protobuf.js';
import { densify, readSparse } from './sparse.js';
import { readTensor } from './tensors.js';

/**
 * Reads a serialized value, such as a file of ONNX's test data sets. `kind` selects the message type, which the bytes do not show. A sparse
 * tensor is converted to a dense one.
 */
export function readValue(bytes: Uint8Array, kind: ValueType['kind'] = 'tensor'): HostValue {
  switch (kind) {
    case 'tensor':
      return readTensor(decode(TensorProto, bytes, 'tensor'));
    case 'sparse':
      return sparse(decode(SparseTensorProto, bytes, 'sparse tensor'));
    case 'sequence':
      return sequence(decode(SequenceProto, bytes, 'sequence'));
    case 'optional':
      return optional(decode(OptionalProto, bytes, 'optional'));
    case 'map':
      return map(decode(MapProto, bytes, 'map'));
  }
}

const sparse = (proto: SparseTensorProto): HostValue => densify(readSparse(proto), proto.values?.name);

const { DataType } = SequenceProto;

const SEQUENCES: Record<number, (proto: SequenceProto) => readonly HostValue[]> = {
  [DataType.UNDEFINED]: () => [],
  [DataType.TENSOR]: ({ tensorValues }) => tensorValues.map((proto) => readTensor(proto)),
  [DataType.SPARSE_TENSOR]: ({ sparseTensorValues }) => sparseTensorValues.map(sparse),
  [DataType.SEQUENCE]: ({ sequenceValues }) => sequenceValues.map(sequence),
  [DataType.MAP]: ({ mapValues }) => mapValues.map(map),
  [DataType.OPTIONAL]: ({ optionalValues }) => optionalValues.map(optional),
};

function sequence(proto: SequenceProto): readonly HostValue[] {
  const read = SEQUENCES[proto.elemType];
  if (read) return read(proto);
  throw invalid(`a sequence of elem_type ${proto.elemType}`);
}

function optional(proto: OptionalProto): HostValue {
  const { tensorValue, sparseTensorValue, sequenceValue, mapValue, optionalValue } = proto;
  if (tensorValue) return readTensor(tensorValue);
  if (sparseTensorValue) return sparse(sparseTensorValue);
  if (sequenceValue) return sequence(sequenceValue);
  if (mapValue) return map(mapValue);
  if (optionalValue) return optional(optionalValue);
  return null;
}

/** 64-bit keys become bigints, shorter ones numbers. */
function map(proto: MapProto): HostValue {
  const key = elementTypeOf(proto.keyType);
  const number: (key: Int64) => number | bigint = key === 'int64' || key === 'uint64' ? toBigInt : toNumber;
  const keys = key === 'string' ? proto.stringKeys.map(text) : proto.keys.map(number);
  const values = proto.values ? sequence(proto.values) : [];
  if (keys.length !== values.length) throw invalid(`a map with ${keys.length} keys and ${values.length} values`);
  return new Map<string | number | bigint, unknown>(keys.map((k, i) => [k, values[i]]));
}

const invalid = (what: string): SardonyxError => new SardonyxError('INVALID_MODEL', `the file contains ${what}`);
