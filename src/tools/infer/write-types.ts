import { type GraphProto, type ModelProto, TensorShapeProto, TypeProto, ValueInfoProto } from '../../../build/onnx.js';
import type { Facts } from '../../graph/facts.js';
import type { Size } from '../../graph/sizes.js';
import type { ValueType } from '../../graph/types.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import { toNumber } from '../../model/int64.js';
import { ELEMENTS } from '../../tensor/element-types.js';
import type { Inferred } from './infer-model.js';
import type { ReadGraph } from './layout.js';
import { mapGraph } from './map-graph.js';
import type { Shaped } from './merge.js';
import type { WriteSize } from './symbols.js';
import { sized } from './types-in.js';

/** Adds the inferred types of all values to a model. Declared types stay, and their open parts are filled in. */
export function withTypes(proto: ModelProto, { layout, facts, write }: Inferred): ModelProto {
  if (!proto.graph) return proto;
  const known = new Map(layout.graphs.map((read) => [read.path, read]));
  const graph = mapGraph(proto.graph, (old, path) => {
    const read = known.get(path);
    const found = read && facts.get(read.graph);
    if (!read || !found) return {};
    const { input, ...infos } = infosOf(old, (name) => typeOf(read, found, name), write);
    return old === proto.graph ? infos : { input, ...infos };
  });
  return withChanges(proto, { graph });
}

function typeOf({ values }: ReadGraph, facts: Facts, name: string): ValueType | undefined {
  const value = values.get(name);
  return value && facts.get(value)?.type;
}

/** The completed declarations of a graph's values, followed by those of other values in the order of nodes. */
function infosOf(
  { input, output, valueInfo, node }: GraphProto,
  typeOf: (name: string) => ValueType | undefined,
  write: WriteSize,
): Pick<GraphProto, 'input' | 'output' | 'valueInfo'> {
  const completed = (info: ValueInfoProto): ValueInfoProto => {
    const type = typeOf(info.name);
    return type ? withChanges(info, { type: completedType(info.type, type, write) }) : info;
  };
  const said = new Set([...input, ...output, ...valueInfo].map(({ name }) => name));
  const made = node.flatMap((maker) => maker.output).filter((name) => name !== '' && !said.has(name));
  const found = made.map((name) => completed(new ValueInfoProto({ name }))).filter(({ type }) => type);
  const told = changedList(valueInfo, completed);
  return {
    input: changedList(input, completed),
    output: changedList(output, completed),
    valueInfo: found.length > 0 ? [...told, ...found] : told,
  };
}

/** Completes a declared type by the inferred one. Contradictory parts stay unchanged. */
export function completedType(says: TypeProto | null | undefined, type: ValueType, write: WriteSize): TypeProto {
  if (!says || isOpen(says)) return completedType(new TypeProto({ ...says, ...emptyOf(type) }), type, write);
  const { tensorType, sparseTensorType, sequenceType, optionalType, mapType } = says;
  if (tensorType && type.kind === 'tensor')
    return withChanges(says, { tensorType: completedTensor(tensorType, type, write) });
  if (sparseTensorType && type.kind === 'sparse')
    return withChanges(says, { sparseTensorType: completedTensor(sparseTensorType, type, write) });
  if (sequenceType && type.kind === 'sequence')
    return withChanges(says, { sequenceType: completedElement(sequenceType, type.of, write) });
  if (optionalType && type.kind === 'optional')
    return withChanges(says, { optionalType: completedElement(optionalType, type.of, write) });
  if (!mapType || type.kind !== 'map') return says;
  const valueType = completedType(mapType.valueType, type.value, write);
  return withChanges(says, { mapType: withChanges(mapType, { valueType }) });
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
  write: WriteSize,
): T => withChanges(says, { elemType: completedType(says.elemType, of, write) } as Partial<T>);

function completedTensor<T extends TypeProto.Tensor | TypeProto.SparseTensor>(
  says: T,
  { element, dims }: Shaped,
  write: WriteSize,
): T {
  const elemType = ELEMENTS[element].onnx;
  if (says.elemType && says.elemType !== elemType) return says;
  if (!dims || (says.shape && says.shape.dim.length !== dims.length))
    return withChanges(says, { elemType } as Partial<T>);
  return withChanges(says, { elemType, shape: completedShape(says.shape, dims, write) } as Partial<T>);
}

function completedShape(
  says: TensorShapeProto | null | undefined,
  dims: readonly Size[],
  write: WriteSize,
): TensorShapeProto {
  const open = new TensorShapeProto.Dimension();
  const dim = dims.map((size, i) => completedDimension(says?.dim[i] ?? open, size, write));
  if (!says) return new TensorShapeProto({ dim });
  return dim.every((found, i) => found === says.dim[i]) ? says : withChanges(says, { dim });
}

function completedDimension(
  says: TensorShapeProto.Dimension,
  size: Size,
  write: WriteSize,
): TensorShapeProto.Dimension {
  const { dimValue, dimParam } = says;
  const isSized = dimValue !== undefined && dimValue !== null && toNumber(dimValue) >= 0;
  if (isSized || (dimParam && typeof size !== 'number')) return says;
  return sized(says, write(size));
}
