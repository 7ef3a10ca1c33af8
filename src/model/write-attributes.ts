import {
  type AttributeProto,
  type GraphProto,
  type SparseTensorProto,
  TensorProto,
  type TypeProto,
} from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import type { Attribute, AttributeValue, Graph, SparseTensor } from '../graph/graph.js';
import { formatSize, type Size } from '../graph/sizes.js';
import type { ValueType } from '../graph/types.js';
import { ELEMENTS } from '../tensor/element-types.js';
import { bytesOf } from '../tensor/stored-tensor.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { ATTRIBUTE_TYPES } from './attribute-types.js';
import { fromBigInt, fromNumber } from './int64.js';

const encoder = new TextEncoder();

const utf8 = (text: string): Uint8Array => encoder.encode(text);

type GraphWriter = (graph: Graph) => GraphProto.$Properties;

export function writeAttribute(name: string, attribute: Attribute, graph: GraphWriter): AttributeProto.$Properties {
  if (attribute.type === 'expression') {
    throw new SardonyxError(
      'INVALID_ATTRIBUTE',
      `"${name}" is in the domain sardonyx, which cannot be written to ONNX files`,
    );
  }
  if (attribute.type !== 'reference')
    return { name, type: ATTRIBUTE_TYPES[attribute.type], ...writeAttributeValue(attribute, graph) };
  const { value: refAttrName, of } = attribute;
  return of ? { name, type: ATTRIBUTE_TYPES[of], refAttrName } : { name, refAttrName };
}

const exactly = (decimals: readonly string[]) => decimals.map((text) => fromBigInt(BigInt(text)));

function writeAttributeValue(attribute: AttributeValue, graph: GraphWriter): AttributeProto.$Properties {
  const { type, value } = attribute;
  switch (type) {
    case 'int':
      return { i: attribute.exact ? exactly(attribute.exact)[0] : fromNumber(value) };
    case 'float':
      return { f: value };
    case 'string':
      return { s: utf8(value) };
    case 'tensor':
      return { t: writeTensorProto(value) };
    case 'sparse':
      return { sparseTensor: writeSparse(value) };
    case 'graph':
      return { g: graph(value) };
    case 'type':
      return { tp: writeType(value) };
    case 'ints':
      return { ints: attribute.exact ? exactly(attribute.exact) : value.map(fromNumber) };
    case 'floats':
      return { floats: [...value] };
    case 'strings':
      return { strings: value.map(utf8) };
    case 'tensors':
      return { tensors: value.map((tensor) => writeTensorProto(tensor)) };
    case 'sparses':
      return { sparseTensors: value.map((sparse) => writeSparse(sparse)) };
    case 'graphs':
      return { graphs: value.map(graph) };
    case 'types':
      return { typeProtos: value.map(writeType) };
  }
}

export function writeTensorProto(tensor: TensorValue, name = ''): TensorProto.$Properties {
  const head = headOf(tensor, name);
  if (tensor.type === 'string') return { ...head, stringData: (tensor.data as readonly string[]).map(utf8) };
  return { ...head, rawData: bytesOf(tensor) };
}

const headOf = ({ type, dims }: TensorValue, name: string) => ({
  name,
  dataType: ELEMENTS[type].onnx,
  dims: [...dims],
});

/** A range of an external file. */
export interface FilePlace {
  readonly location: string;
  readonly offset: number;
  readonly length: number;
}

/** A tensor whose bytes are in an external file. */
export const writeExternalTensor = (tensor: TensorValue, name: string, place: FilePlace): TensorProto.$Properties => ({
  ...headOf(tensor, name),
  dataLocation: TensorProto.DataLocation.EXTERNAL,
  externalData: Object.entries(place).map(([key, value]) => ({ key, value: String(value) })),
});

export const writeSparse = ({ values, indices, dims }: SparseTensor, name = ''): SparseTensorProto.$Properties => ({
  values: writeTensorProto(values, name),
  indices: writeTensorProto(indices),
  dims: [...dims],
});

export function writeType(type: ValueType): TypeProto.$Properties {
  switch (type.kind) {
    case 'tensor':
      return { tensorType: tensorLike(type) };
    case 'sparse':
      return { sparseTensorType: tensorLike(type) };
    case 'sequence':
      return { sequenceType: { elemType: writeType(type.of) } };
    case 'optional':
      return { optionalType: { elemType: writeType(type.of) } };
    case 'map':
      return { mapType: { keyType: ELEMENTS[type.key].onnx, valueType: writeType(type.value) } };
  }
}

function tensorLike({
  element,
  dims,
}: Extract<ValueType, { kind: 'tensor' | 'sparse' }>): TypeProto.Tensor.$Properties {
  const elemType = ELEMENTS[element].onnx;
  return dims ? { elemType, shape: { dim: dims.map(writeDim) } } : { elemType };
}

const writeDim = (dim: Size) =>
  typeof dim === 'number' ? { dimValue: fromNumber(dim) } : { dimParam: formatSize(dim) };
