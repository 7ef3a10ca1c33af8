import {
  AttributeProto,
  type GraphProto,
  type SparseTensorProto,
  type TensorProto,
  type TypeProto,
} from '../../build/onnx.js';
import type { Attribute, Graph, SparseTensor } from '../graph/graph.js';
import type { Dim, ValueType } from '../graph/types.js';
import { ELEMENTS } from '../tensor/element-types.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { fromNumber } from './int64.js';

const { AttributeType } = AttributeProto;

const encoder = new TextEncoder();

const utf8 = (text: string): Uint8Array => encoder.encode(text);

type GraphWriter = (graph: Graph) => GraphProto.$Properties;

export function writeAttribute(name: string, attribute: Attribute, graph: GraphWriter): AttributeProto.$Properties {
  const { type, value } = attribute;
  switch (type) {
    case 'int':
      return { name, type: AttributeType.INT, i: fromNumber(value) };
    case 'float':
      return { name, type: AttributeType.FLOAT, f: value };
    case 'string':
      return { name, type: AttributeType.STRING, s: utf8(value) };
    case 'tensor':
      return { name, type: AttributeType.TENSOR, t: writeTensorProto(value) };
    case 'sparse':
      return { name, type: AttributeType.SPARSE_TENSOR, sparseTensor: writeSparse(value) };
    case 'graph':
      return { name, type: AttributeType.GRAPH, g: graph(value) };
    case 'type':
      return { name, type: AttributeType.TYPE_PROTO, tp: writeType(value) };
    case 'ints':
      return { name, type: AttributeType.INTS, ints: value.map(fromNumber) };
    case 'floats':
      return { name, type: AttributeType.FLOATS, floats: [...value] };
    case 'strings':
      return { name, type: AttributeType.STRINGS, strings: value.map(utf8) };
    case 'tensors':
      return { name, type: AttributeType.TENSORS, tensors: value.map((tensor) => writeTensorProto(tensor)) };
    case 'sparses':
      return { name, type: AttributeType.SPARSE_TENSORS, sparseTensors: value.map((sparse) => writeSparse(sparse)) };
    case 'graphs':
      return { name, type: AttributeType.GRAPHS, graphs: value.map(graph) };
    case 'types':
      return { name, type: AttributeType.TYPE_PROTOS, typeProtos: value.map(writeType) };
    case 'reference':
      return { name, refAttrName: value };
  }
}

export function writeTensorProto({ type, dims, data }: TensorValue, name = ''): TensorProto.$Properties {
  const head = { name, dataType: ELEMENTS[type].onnx, dims: [...dims] };
  if (!ArrayBuffer.isView(data)) return { ...head, stringData: data.map(utf8) };
  return { ...head, rawData: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

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

const writeDim = (dim: Dim) => (typeof dim === 'string' ? { dimParam: dim } : { dimValue: fromNumber(dim) });
