import { type Model, openTensor } from 'sardonyx/model';
import type { TensorAt, TensorFacts, TensorLook } from '../contracts/tensors.js';
import { lookAt } from '../tensors/look.js';
import type { Readable } from '../tensors/readable.js';
import { dequantized } from './dequantized.js';
import { graphAt } from './graph-at.js';
import { type SparseTensorProto, tensorAt } from './tensor-at.js';
import { factsOf } from './tensor-facts.js';

const looks = new WeakMap<Model, Map<string, Promise<TensorLook>>>();

/** The look at a tensor of a model; opened once, as a sparse one is made dense for it. */
export function lookOf(model: Model, at: TensorAt): Promise<TensorLook> {
  const known = looks.get(model) ?? new Map<string, Promise<TensorLook>>();
  looks.set(model, known);
  const key = JSON.stringify(at);
  const look = known.get(key) ?? open(model, at).then(lookAt);
  known.set(key, look);
  return look;
}

const open = async (model: Model, at: TensorAt): Promise<Readable> => {
  const stored = await openTensor(tensorAt(model, at) as never, model);
  return 'name' in at && at.isReal ? dequantized(model, at, stored) : stored;
};

/** The initializers of a graph. */
export function initializersOf({ proto }: Model, path: string): TensorFacts[] {
  const { initializer = [], sparseInitializer = [] } = graphAt(proto, path);
  const nameOf = (tensor: SparseTensorProto) => tensor.values?.name ?? '';
  return [
    ...initializer.map((tensor) => factsOf(tensor, { graph: path, name: tensor.name })),
    ...sparseInitializer.map((tensor) => factsOf(tensor, { graph: path, name: nameOf(tensor) })),
  ];
}
