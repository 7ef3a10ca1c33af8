import type { GraphProto, TensorShapeProto, TypeProto, ValueInfoProto } from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import type { Model } from '../../model/document/model.js';
import { toNumber } from '../../model/int64.js';
import { typesOf } from '../infer/index.js';
import { withProto } from '../model-of.js';
import { readsOf, withSubgraphs } from './bodies.js';
import { filtered } from './filtered.js';
import { graphOf, quoted, refused } from './refuse.js';
import { dimension, typeProto, withDims } from './types.js';

/** A dimension: a size, a name, or `''` for an unnamed dynamic dimension. */
export type Size = number | string;

/** The dimensions to set with `setDims`. */
export interface DimsToSet {
  /** Sizes of inputs and outputs: by name, and by axis or as a list. */
  readonly values?: Readonly<Record<string, Readonly<Record<number, Size>> | readonly Size[]>>;
  /** New sizes or names for named dynamic dimensions, wherever they occur. */
  readonly symbols?: Readonly<Record<string, Size>>;
}

/**
 * Changes the dimensions of a model's inputs and outputs. Type information of dependent values is removed, and other
 * outputs get inferred shapes. A fixed size cannot become another fixed size.
 * @throws SardonyxError INVALID_ARGUMENT if a name or dimension does not exist or the size cannot be changed
 */
export async function setDims(model: Model, { values = {}, symbols = {} }: DimsToSet): Promise<Model> {
  const fixed = withSymbols(model, symbols);
  if (Object.keys(values).length === 0) return fixed;
  const { proto } = fixed;
  const graph = graphOf(fixed);
  refuseUnknown(graph, values);
  const border = (info: ValueInfoProto) => withSizes(info, values[info.name]);
  const [input, output] = [changedList(graph.input, border), changedList(graph.output, border)];
  const isNew = new Set(input.filter((info, i) => info !== graph.input[i]).map(({ name }) => name));
  const following = namesBehind(graph, isNew);
  const valueInfo = filtered(graph.valueInfo, ({ name }) => !following.has(name));
  const open = output.map((info) => (following.has(info.name) && !(info.name in values) ? withoutSizes(info) : info));
  const set = withProto(fixed, withChanges(proto, { graph: withChanges(graph, { input, output: open, valueInfo }) }));
  const types = isNew.size > 0 ? await typesOf(set) : undefined;
  const known = changedList(output, (info) => {
    const type = types?.get(info.name);
    return type && following.has(info.name) && !(info.name in values)
      ? withChanges(info, { type: typeProto(type) })
      : info;
  });
  return withProto(fixed, withChanges(proto, { graph: withChanges(graph, { input, output: known, valueInfo }) }));
}

function withSymbols(model: Model, symbols: Readonly<Record<string, Size>>): Model {
  const unknown = new Set(Object.keys(symbols));
  if (unknown.size === 0) return model;
  const renamed = (dim: TensorShapeProto.Dimension) => {
    const size = dim.dimParam && symbols[dim.dimParam];
    if (size === undefined || size === null || !dim.dimParam) return dim;
    unknown.delete(dim.dimParam);
    return sized(dim, size);
  };
  const infos = (list: ValueInfoProto[]) =>
    changedList(list, (info) => withType(info, (type) => withDims(type, renamed)));
  const inside = (graph: GraphProto): GraphProto =>
    withChanges(graph, {
      input: infos(graph.input),
      output: infos(graph.output),
      valueInfo: infos(graph.valueInfo),
      node: changedList(graph.node, (node) => withSubgraphs(node, inside)),
    });
  const graph = inside(graphOf(model));
  if (unknown.size > 0) throw refused(`the model has no dynamic dimension ${quoted(unknown)}`);
  return withProto(model, withChanges(model.proto, { graph }));
}

const withType = (info: ValueInfoProto, change: (type: TypeProto) => TypeProto): ValueInfoProto =>
  info.type ? withChanges(info, { type: change(info.type) }) : info;

/** Sets a size and keeps the denotation of the dimension. */
function sized(dim: TensorShapeProto.Dimension, size: Size): TensorShapeProto.Dimension {
  const made = dimension(size === '' ? undefined : size);
  return dim.denotation ? withChanges(made, { denotation: dim.denotation }) : made;
}

function refuseUnknown(graph: GraphProto, values: NonNullable<DimsToSet['values']>): void {
  const border = [...graph.input, ...graph.output].map(({ name }) => name);
  for (const name of Object.keys(values))
    if (!border.includes(name))
      throw refused(`"${name}" is neither an input nor an output; the model has ${quoted(border)}`);
}

type Sizes = NonNullable<DimsToSet['values']>[string];

function withSizes(info: ValueInfoProto, sizes: Sizes | undefined): ValueInfoProto {
  if (!sizes) return info;
  const { name, type } = info;
  const shape = type?.tensorType?.shape;
  if (!type || !shape) throw refused(`"${name}" is not a tensor of known rank`);
  const places = Object.entries(sizes);
  for (const [place, size] of places) refuseWrong(name, shape.dim, Number(place), size as Size);
  if (Array.isArray(sizes) && sizes.length !== shape.dim.length)
    throw refused(`"${name}": expected ${shape.dim.length} dimensions, got ${sizes.length}`);
  const dim = shape.dim.map((before, i) => {
    const size = (sizes as Readonly<Record<number, Size>>)[i];
    return size === undefined || isSize(before, size) ? before : sized(before, size);
  });
  const isSame = dim.every((entry, i) => entry === shape.dim[i]);
  if (isSame) return info;
  const tensorType = withChanges(type.tensorType as TypeProto.Tensor, { shape: withChanges(shape, { dim }) });
  return withChanges(info, { type: withChanges(type, { tensorType }) });
}

const numberIn = ({ dimValue }: TensorShapeProto.Dimension): number | undefined =>
  dimValue === undefined || dimValue === null ? undefined : toNumber(dimValue);

const isSize = (dim: TensorShapeProto.Dimension, size: Size): boolean =>
  typeof size === 'number' ? numberIn(dim) === size : (dim.dimParam ?? '') === size && numberIn(dim) === undefined;

function refuseWrong(name: string, dims: readonly TensorShapeProto.Dimension[], place: number, size: Size): void {
  const dim = dims[place];
  if (!dim) throw refused(`"${name}" has ${dims.length} dimensions; dimension ${place} does not exist`);
  if (typeof size !== 'number') return;
  if (!Number.isSafeInteger(size) || size < 0)
    throw refused(`expected a non-negative integer, a name or '', got ${size}`);
  const before = numberIn(dim);
  if (before !== undefined && before !== size)
    throw refused(`dimension ${place} of "${name}" is ${before}; it can become dynamic, but not ${size}`);
}

const withoutSizes = (info: ValueInfoProto): ValueInfoProto =>
  withType(info, (type) => withDims(type, () => dimension(undefined)));

/** The values that depend on some values. */
function namesBehind(graph: GraphProto, names: ReadonlySet<string>): Set<string> {
  const following = new Set<string>(names);
  for (const node of graph.node)
    if (readsOf(node).some((name) => following.has(name))) for (const name of node.output) following.add(name);
  for (const name of names) following.delete(name);
  return following;
}
