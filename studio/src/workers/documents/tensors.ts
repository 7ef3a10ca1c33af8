import { type Model, type NodeProto, openTensor } from 'sardonyx/model';
import type { TensorAt, TensorFacts, TensorLook } from '../contracts/tensors.js';
import { lookAt } from '../tensors/look.js';
import type { Readable } from '../tensors/readable.js';
import { dequantized } from './dequantized.js';
import { graphAt } from './graph-at.js';
import { isConstant, tensorAt, tensorsIn } from './tensor-at.js';
import { factsOf } from './tensor-facts.js';

const looks = new WeakMap<Model, Map<string, Promise<TensorLook>>>();

/** The look at a tensor; cached, since opening a sparse tensor makes it dense. */
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

/** The weights of a graph: its initializers and the tensors of its Constant nodes. */
export function weightsOf({ proto }: Model, path: string): TensorFacts[] {
  const { node, initializer = [], sparseInitializer = [] } = graphAt(proto, path);
  const names = [...initializer.map(({ name }) => name), ...sparseInitializer.map(({ values }) => values?.name ?? '')];
  return [
    ...[...initializer, ...sparseInitializer].map((tensor, i) => {
      const name = names[i] as string;
      return { ...factsOf(tensor, { graph: path, name }), name };
    }),
    ...node.flatMap((each, i) => (isConstant(each) ? constantsOf(each, { graph: path, node: i }) : [])),
  ];
}

const constantsOf = ({ attribute, output }: NodeProto, at: { graph: string; node: number }): TensorFacts[] =>
  attribute.flatMap((each) =>
    tensorsIn(each).map((tensor) => ({
      ...factsOf(tensor, { ...at, attribute: each.name, at: 0 }),
      name: output[0] ?? '',
    })),
  );
