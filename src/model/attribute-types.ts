import { AttributeProto } from '../../build/onnx-reader.js';
import type { AttributeValue } from '../graph/graph.js';

const { AttributeType } = AttributeProto;

/** AttributeProto.AttributeType of each attribute type. */
export const ATTRIBUTE_TYPES: Record<AttributeValue['type'], AttributeProto.AttributeType> = {
  float: AttributeType.FLOAT,
  int: AttributeType.INT,
  string: AttributeType.STRING,
  tensor: AttributeType.TENSOR,
  graph: AttributeType.GRAPH,
  sparse: AttributeType.SPARSE_TENSOR,
  type: AttributeType.TYPE_PROTO,
  floats: AttributeType.FLOATS,
  ints: AttributeType.INTS,
  strings: AttributeType.STRINGS,
  tensors: AttributeType.TENSORS,
  graphs: AttributeType.GRAPHS,
  sparses: AttributeType.SPARSE_TENSORS,
  types: AttributeType.TYPE_PROTOS,
};

const BY_CODE = new Map(Object.entries(ATTRIBUTE_TYPES).map(([type, code]) => [code, type as AttributeValue['type']]));

export const attributeTypeOf = (code: AttributeProto.AttributeType): AttributeValue['type'] | undefined =>
  BY_CODE.get(code);
