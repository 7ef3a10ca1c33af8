import { AttributeProto } from '../../build/onnx.js';
import { SardonyxError } from '../errors.js';
import type { Attribute, Attributes, Graph } from '../graph/graph.js';
import type { ValueType } from '../graph/types.js';
import { text } from './decode.js';
import type { ExternalData } from './external-data.js';
import { toNumber } from './int64.js';
import { readSparse } from './sparse.js';
import { readTensor } from './tensors.js';
import { type DimSymbols, readType } from './types.js';

export interface AttributeContext {
  readonly external: ExternalData | undefined;
  readonly symbols: DimSymbols;
  readGraph(proto: NonNullable<AttributeProto['g']>): Graph;
}

const { AttributeType } = AttributeProto;

type Reader = (proto: AttributeProto, context: AttributeContext) => Attribute;

const READERS: Record<number, Reader> = {
  [AttributeType.FLOAT]: ({ f }) => ({ type: 'float', value: f }),
  [AttributeType.INT]: ({ i }) => ({ type: 'int', value: toNumber(i) }),
  [AttributeType.STRING]: ({ s }) => ({ type: 'string', value: text(s) }),
  [AttributeType.TENSOR]: ({ t }, { external }) => ({ type: 'tensor', value: readTensor(present(t), external) }),
  [AttributeType.GRAPH]: ({ g }, { readGraph }) => ({ type: 'graph', value: readGraph(present(g)) }),
  [AttributeType.SPARSE_TENSOR]: ({ sparseTensor }, { external }) => ({
    type: 'sparse',
    value: readSparse(present(sparseTensor), external),
  }),
  [AttributeType.TYPE_PROTO]: ({ tp }, { symbols }) => ({ type: 'type', value: present(readType(tp, symbols)) }),
  [AttributeType.FLOATS]: ({ floats }) => ({ type: 'floats', value: floats }),
  [AttributeType.INTS]: ({ ints }) => ({ type: 'ints', value: ints.map(toNumber) }),
  [AttributeType.STRINGS]: ({ strings }) => ({ type: 'strings', value: strings.map(text) }),
  [AttributeType.TENSORS]: ({ tensors }, { external }) => ({
    type: 'tensors',
    value: tensors.map((tensor) => readTensor(tensor, external)),
  }),
  [AttributeType.GRAPHS]: ({ graphs }, { readGraph }) => ({ type: 'graphs', value: graphs.map(readGraph) }),
  [AttributeType.SPARSE_TENSORS]: ({ sparseTensors }, { external }) => ({
    type: 'sparses',
    value: sparseTensors.map((sparse) => readSparse(sparse, external)),
  }),
  [AttributeType.TYPE_PROTOS]: ({ typeProtos }, { symbols }) => ({
    type: 'types',
    value: typeProtos.map((proto): ValueType => present(readType(proto, symbols))),
  }),
};

/** The field that tells the type where the model, of IR version 1, does not. */
const EVIDENCE: readonly (readonly [keyof AttributeProto, number])[] = [
  ['f', AttributeType.FLOAT],
  ['i', AttributeType.INT],
  ['s', AttributeType.STRING],
  ['t', AttributeType.TENSOR],
  ['g', AttributeType.GRAPH],
  ['floats', AttributeType.FLOATS],
  ['ints', AttributeType.INTS],
  ['strings', AttributeType.STRINGS],
  ['tensors', AttributeType.TENSORS],
  ['graphs', AttributeType.GRAPHS],
];

export function readAttributes(protos: readonly AttributeProto[], context: AttributeContext): Attributes {
  const attributes = new Map<string, Attribute>();
  for (const proto of protos) {
    if (!proto.name) throw new SardonyxError('INVALID_MODEL', 'an attribute has no name');
    if (attributes.has(proto.name)) throw new SardonyxError('INVALID_MODEL', `attribute ${proto.name} is given twice`);
    attributes.set(proto.name, readAttribute(proto, context));
  }
  return Object.fromEntries(attributes);
}

function readAttribute(proto: AttributeProto, context: AttributeContext): Attribute {
  if (proto.refAttrName) return { type: 'reference', value: proto.refAttrName };
  const read = READERS[proto.type || inferredType(proto)];
  if (read) return read(proto, context);
  throw new SardonyxError('INVALID_MODEL', `attribute ${proto.name} has no value`);
}

function inferredType(proto: AttributeProto): number {
  const found = EVIDENCE.find(([field]) => {
    const value = Object.hasOwn(proto, field) ? proto[field] : undefined;
    return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  });
  return found ? found[1] : AttributeType.UNDEFINED;
}

function present<T>(value: T | null | undefined): T {
  if (value !== undefined && value !== null) return value;
  throw new SardonyxError('INVALID_MODEL', 'an attribute lacks the value that its type announces');
}
