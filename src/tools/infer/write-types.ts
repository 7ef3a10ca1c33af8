import { type GraphProto, type ModelProto, TensorShapeProto, TypeProto, ValueInfoProto } from '../../../build/onnx.js';
import type { Dim, ValueType } from '../../graph/types.js';
import { toNumber } from '../../model/int64.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import { changed } from './changed.js';
import type { Inferred } from './infer-model.js';
import type { ReadGraph } from './layout.js';
import { mapGraph } from './map-graph.js';
import type { Shaped } from './merge.js';
import type { Symbols } from './symbols.js';
import { sized } from './types-in.js';

/** The model with what is known of the types of all values; what it says itself stays, but where it is open. */
export function withTypes(proto: ModelProto, inferred: Inferred): ModelProto {
  if (!proto.graph) return proto;
  const { graphs } = inferred.layout;
  const read = new Map(graphs.map((graph) => [graph.proto, graph]));
  const graph = mapGraph(proto.graph, (old) => {
    const known = read.get(old);
    return known ? infosOf(known, inferred, old === proto.graph) : {};
  });
  return changed(proto, { graph });
}

function infosOf({ proto, graph, values }: ReadGraph, inferred: Inferred, isMain: boolean): Partial<GraphProto> {
  const facts = inferred.facts.get(graph);
  const typeOf = (name: string): ValueType | undefined => {
    const value = values.get(name);
    return value && facts?.get(value)?.type;
  };
  const completed = (info: ValueInfoProto): ValueInfoProto => {
    const type = typeOf(info.name);
    return type ? changed(info, { type: completedType(info.type, type, inferred.symbols) }) : info;
  };
  const [input, output, valueInfo] = [proto.input, proto.output, proto.valueInfo].map((infos) => infos.map(completed));
  const said = new Set([...proto.input, ...proto.output, ...proto.valueInfo].map(({ name }) => name));
  const found = proto.node
    .flatMap((node) => node.output)
    .filter((name) => name !== '' && !said.has(name))
    .flatMap((name) => {
      const type = typeOf(name);
      return type ? [new ValueInfoProto({ name, type: completedType(null, type, inferred.symbols) })] : [];
    });
  return {
    ...(!isMain && { input: input as ValueInfoProto[] }),
    output: output as ValueInfoProto[],
    valueInfo: [...(valueInfo as ValueInfoProto[]), ...found],
  };
}

/** What a model says of a type, and what is known besides; what contradicts that is left alone. */
export function completedType(says: TypeProto | null | undefined, type: ValueType, symbols: Symbols): TypeProto {
  if (!says || isOpen(says)) return completedType(new TypeProto({ ...says, ...emptyOf(type) }), type, symbols);
  const { tensorType, sparseTensorType, sequenceType, optionalType, mapType } = says;
  if (tensorType && type.kind === 'tensor')
    return changed(says, { tensorType: completedTensor(tensorType, type, symbols) });
  if (sparseTensorType && type.kind === 'sparse')
    return changed(says, { sparseTensorType: completedTensor(sparseTensorType, type, symbols) });
  if (sequenceType && type.kind === 'sequence')
    return changed(says, { sequenceType: completedElement(sequenceType, type.of, symbols) });
  if (optionalType && type.kind === 'optional')
    return changed(says, { optionalType: completedElement(optionalType, type.of, symbols) });
  if (!mapType || type.kind !== 'map') return says;
  const valueType = completedType(mapType.valueType, type.value, symbols);
  return changed(says, { mapType: changed(mapType, { valueType }) });
}

const KINDS = ['tensorType', 'sparseTensorType', 'sequenceType', 'optionalType', 'mapType', 'opaqueType'] as const;

const isOpen = (says: TypeProto): boolean => KINDS.every((kind) => !says[kind]);

function emptyOf(type: ValueType): Partial<TypeProto> {
  switch (type.kind) {
    case 'tensor':
      return { tensorType: new TypeProto.Tensor() };
    case 'sparse':
      return { sparseTensorType: new TypeProto.SparseTensor() };
    case 'sequence':
      return { sequenceType: new TypeProto.Sequence() };
    case 'optional':
      return { optionalType: new TypeProto.Optional() };
    case 'map':
      return { mapType: new TypeProto.Map({ keyType: ELEMENTS[type.key].onnx }) };
  }
}

const completedElement = <T extends TypeProto.Sequence | TypeProto.Optional>(
  says: T,
  of: ValueType,
  symbols: Symbols,
): T => changed(says, { elemType: completedType(says.elemType, of, symbols) } as Partial<T>);

function completedTensor<T extends TypeProto.Tensor | TypeProto.SparseTensor>(
  says: T,
  { element, dims }: Shaped,
  symbols: Symbols,
): T {
  const elemType = ELEMENTS[element].onnx;
  if (says.elemType && says.elemType !== elemType) return says;
  if (!dims || (says.shape && says.shape.dim.length !== dims.length)) return changed(says, { elemType } as Partial<T>);
  const { shape } = says;
  const dim = dims.map((size, i) =>
    completedDimension(shape?.dim[i] ?? new TensorShapeProto.Dimension(), size, symbols),
  );
  const completed = shape ? changed(shape, { dim }) : new TensorShapeProto({ dim });
  return changed(says, { elemType, shape: completed } as Partial<T>);
}

function completedDimension(says: TensorShapeProto.Dimension, size: Dim, symbols: Symbols): TensorShapeProto.Dimension {
  const { dimValue, dimParam } = says;
  const isSized = dimValue !== undefined && dimValue !== null && toNumber(dimValue) >= 0;
  if (isSized || (dimParam && typeof size === 'string')) return says;
  return sized(says, symbols.write(size));
}
