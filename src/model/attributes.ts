import type { AttributeProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import type { Attribute, Attributes, AttributeValue, Graph } from '../graph/graph.js';
import { attributeTypeOf } from './attribute-types.js';
import type { ExternalData } from './external-data.js';
import { toBigInt, toNumber } from './int64.js';
import { text } from './read-protobuf.js';
import { readSparse } from './sparse.js';
import { readTensor } from './tensors.js';
import { type DimSymbols, readType } from './types.js';

export interface AttributeContext {
  readonly external: ExternalData | undefined;
  readonly symbols: DimSymbols;
  /** @param attribute the attribute's name, followed by the position if it is a list */
  readGraph(proto: NonNullable<AttributeProto['g']>, attribute: string): Graph;
}

type Readers = {
  [T in AttributeValue['type']]: (
    proto: AttributeProto,
    context: AttributeContext,
  ) => Extract<AttributeValue, { type: T }>['value'];
};

const READERS: Readers = {
  float: ({ f }) => f,
  int: ({ i }) => toNumber(i),
  string: ({ s }) => text(s),
  tensor: ({ t }, { external }) => readTensor(present(t), external),
  graph: ({ g, name }, { readGraph }) => readGraph(present(g), name),
  sparse: ({ sparseTensor }, { external }) => readSparse(present(sparseTensor), external),
  type: ({ tp }, { symbols }) => present(readType(tp, symbols)),
  floats: ({ floats }) => floats,
  ints: ({ ints }) => ints.map(toNumber),
  strings: ({ strings }) => strings.map(text),
  tensors: ({ tensors }, { external }) => tensors.map((tensor) => readTensor(tensor, external)),
  graphs: ({ graphs, name }, { readGraph }) => graphs.map((graph, i) => readGraph(graph, `${name}/${i}`)),
  sparses: ({ sparseTensors }, { external }) => sparseTensors.map((sparse) => readSparse(sparse, external)),
  types: ({ typeProtos }, { symbols }) => typeProtos.map((proto) => present(readType(proto, symbols))),
};

/** Fields that reveal an attribute's type in models of IR version 1, which do not store it. */
const EVIDENCE: readonly (readonly [keyof AttributeProto, AttributeValue['type']])[] = [
  ['f', 'float'],
  ['i', 'int'],
  ['s', 'string'],
  ['t', 'tensor'],
  ['g', 'graph'],
  ['floats', 'floats'],
  ['ints', 'ints'],
  ['strings', 'strings'],
  ['tensors', 'tensors'],
  ['graphs', 'graphs'],
];

export function readAttributes(protos: readonly AttributeProto[], context: AttributeContext): Attributes {
  const attributes = new Map<string, Attribute>();
  for (const proto of protos) {
    if (!proto.name) throw new SardonyxError('INVALID_MODEL', 'an attribute has no name');
    if (attributes.has(proto.name)) throw new SardonyxError('INVALID_MODEL', `duplicate attribute ${proto.name}`);
    attributes.set(proto.name, readAttribute(proto, context));
  }
  return Object.fromEntries(attributes);
}

function readAttribute(proto: AttributeProto, context: AttributeContext): Attribute {
  const type = attributeTypeOf(proto.type);
  if (proto.refAttrName) {
    const reference = { type: 'reference', value: proto.refAttrName } as const;
    return type ? { ...reference, of: type } : reference;
  }
  const shown = type ?? typeShownBy(proto);
  if (!shown) throw new SardonyxError('INVALID_MODEL', `attribute ${proto.name} has no value`);
  return { type: shown, value: READERS[shown](proto, context), ...exactly(shown, proto) } as Attribute;
}

/** 64-bit integers that are not exact as numbers, as text. */
function exactly(type: AttributeValue['type'], { i, ints }: AttributeProto): { readonly exact?: readonly string[] } {
  const all = type === 'int' ? [i] : type === 'ints' ? ints : [];
  return all.every((x) => Number.isSafeInteger(toNumber(x))) ? {} : { exact: all.map((x) => `${toBigInt(x)}`) };
}

function typeShownBy(proto: AttributeProto): AttributeValue['type'] | undefined {
  const found = EVIDENCE.find(([field]) => {
    const value = Object.hasOwn(proto, field) ? proto[field] : undefined;
    return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
  });
  return found?.[1];
}

function present<T>(value: T | null | undefined): T {
  if (value !== undefined && value !== null) return value;
  throw new SardonyxError('INVALID_MODEL', 'an attribute has no value of its type');
}
