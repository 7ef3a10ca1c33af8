import { type GraphProto, type ModelProto, TensorShapeProto, type TypeProto } from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import { fromNumber } from '../../model/int64.js';
import { mapGraph } from './map-graph.js';

type Dimension = TensorShapeProto.Dimension;

/** Maps the dimensions of a type. Returns the same type if none changes. */
export function mapDimensions(type: TypeProto, dimension: (dim: Dimension) => Dimension): TypeProto {
  const within = <M extends object>(inner: M, field: keyof M): M => {
    const old = inner[field] as TypeProto | null | undefined;
    return old ? withChanges(inner, { [field]: mapDimensions(old, dimension) } as Partial<M>) : inner;
  };
  const { tensorType, sparseTensorType, sequenceType, optionalType, mapType } = type;
  if (tensorType) return withChanges(type, { tensorType: shaped(tensorType, dimension) });
  if (sparseTensorType) return withChanges(type, { sparseTensorType: shaped(sparseTensorType, dimension) });
  if (sequenceType) return withChanges(type, { sequenceType: within(sequenceType, 'elemType') });
  if (optionalType) return withChanges(type, { optionalType: within(optionalType, 'elemType') });
  if (mapType) return withChanges(type, { mapType: within(mapType, 'valueType') });
  return type;
}

function shaped<T extends TypeProto.Tensor | TypeProto.SparseTensor>(
  tensor: T,
  dimension: (dim: Dimension) => Dimension,
): T {
  const { shape } = tensor;
  return shape
    ? withChanges(tensor, { shape: withChanges(shape, { dim: changedList(shape.dim, dimension) }) } as Partial<T>)
    : tensor;
}

/** The dimension names in a graph and its subgraphs. */
export function symbolsIn(graph: GraphProto): Set<string> {
  const found = new Set<string>();
  mapSymbols(graph, (dim) => {
    if (dim.dimParam) found.add(dim.dimParam);
    return dim;
  });
  return found;
}

const mapSymbols = (graph: GraphProto, dimension: (dim: Dimension) => Dimension): GraphProto =>
  mapGraph(graph, (inner) => {
    const infos = (list: GraphProto['input']) =>
      changedList(list, (info) =>
        info.type ? withChanges(info, { type: mapDimensions(info.type, dimension) }) : info,
      );
    return { input: infos(inner.input), output: infos(inner.output), valueInfo: infos(inner.valueInfo) };
  });

/** Replaces dimension names by sizes. */
export function withSizes(proto: ModelProto, sizes: Readonly<Record<string, number>>): ModelProto {
  const dimension = (dim: Dimension): Dimension => {
    const size = dim.dimParam && Object.hasOwn(sizes, dim.dimParam) ? sizes[dim.dimParam] : undefined;
    return size === undefined ? dim : sized(dim, size);
  };
  return proto.graph ? withChanges(proto, { graph: mapSymbols(proto.graph, dimension) }) : proto;
}

/** Replaces the size or name of a dimension. */
export function sized({ dimParam: _, dimValue: __, ...rest }: Dimension, size: number | string): Dimension {
  const value = typeof size === 'number' ? { dimValue: fromNumber(size) } : { dimParam: size };
  return new TensorShapeProto.Dimension({ ...rest, ...value });
}
