import type { AttributeProto, GraphProto, Model, TensorProto } from 'sardonyx/model';
import type { TensorAt } from '../contracts/tensors.js';
import { graphAt } from './graph-at.js';

export type SparseTensorProto = GraphProto['sparseInitializer'][number];
export const isSparse = (tensor: TensorProto | SparseTensorProto): tensor is SparseTensorProto => 'indices' in tensor;

/** The tensor at a place. */
export function tensorAt({ proto }: Model, place: TensorAt): TensorProto | SparseTensorProto {
  const graph = graphAt(proto, place.graph);
  const found =
    'name' in place
      ? initializerOf(graph, place.name)
      : tensorsIn(graph.node[place.node]?.attribute.find(({ name }) => name === place.attribute))[place.at];
  if (!found) throw new Error(`tensor "${'name' in place ? place.name : place.attribute}" no longer exists`);
  return found;
}

export const initializerOf = (
  { initializer, sparseInitializer }: Partial<GraphProto>,
  wanted: string,
): TensorProto | SparseTensorProto | undefined =>
  initializer?.find(({ name }) => name === wanted) ?? sparseInitializer?.find(({ values }) => values?.name === wanted);

export const tensorsIn = (attribute: AttributeProto | undefined): (TensorProto | SparseTensorProto)[] =>
  attribute
    ? [attribute.t, ...attribute.tensors, attribute.sparseTensor, ...attribute.sparseTensors].filter(
        (tensor) => tensor !== null && tensor !== undefined,
      )
    : [];
