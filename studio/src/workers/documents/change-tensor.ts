import type { ElementType, TensorValue } from 'sardonyx';
import { Tensor } from 'sardonyx';
import {
  type AttributeProto,
  type GraphProto,
  type Model,
  type ModelProto,
  openTensor,
  type TensorProto,
} from 'sardonyx/model';
import { readNpy, toNumbers } from 'sardonyx/tensors';
import { TensorProto as Proto, SparseTensorProto } from '../../../../build/onnx.js';
import { withChanges } from '../../../../src/model/document/changed.js';
import { writeSparse, writeTensorProto } from '../../../../src/model/write-attributes.js';
import { hasNpyType } from '../../../../src/tensor/npy.js';
import { entriesOf, tensorOfEntries } from '../../../../src/tensor/packed.js';
import type { TensorAt } from '../contracts/tensors.js';
import { withElement } from './read-element.js';
import { isSparse, type SparseTensorProto as Sparse, tensorAt } from './tensor-at.js';
import { type Definition, withBodyAt, withNode } from './with-body-at.js';

type Stored = TensorProto | Sparse;

/** Replaces a tensor with that of a NumPy file. Its former type is kept if NumPy has no such type. */
export async function withNpy(model: Model, at: TensorAt, npy: Blob): Promise<ModelProto> {
  const read = readNpy(new Uint8Array(await npy.arrayBuffer())) as TensorValue;
  const former = tensorAt(model, at);
  const { type } = await openTensor(former as never, model);
  const isLent = read.type === 'float32' && !hasNpyType(type);
  return withTensorAt(model.proto, at, () => stored(isLent ? converted(read, type) : read, former));
}

const converted = (tensor: TensorValue, type: ElementType): TensorValue =>
  new Tensor(type, Array.from(toNumbers(tensor)) as never, tensor.dims) as TensorValue;

/** Replaces one element of a tensor. */
export async function withElementAt(model: Model, at: TensorAt, element: number, text: string): Promise<ModelProto> {
  const former = tensorAt(model, at);
  const reader = await openTensor(former as never, model);
  if (element < 0 || element >= reader.count)
    throw new Error(`the index is out of range: the tensor has ${reader.count} elements`);
  const { data } = await reader.read(0, reader.count);
  const changed = withElement({ type: reader.type, dims: reader.dims, data } as TensorValue, element, text);
  return withTensorAt(model.proto, at, () => stored(changed, former));
}

/** The tensor as a message: sparse if the former one was, with the same name and notes. */
function stored(tensor: TensorValue, former: Stored): Stored {
  const { name = '', docString = '', metadataProps = [] } = (isSparse(former) ? former.values : former) ?? {};
  const notes = { docString, metadataProps };
  if (!isSparse(former)) return new Proto({ ...writeTensorProto(tensor, name), ...notes });
  return new SparseTensorProto(writeSparse(sparse(tensor), name)) as Sparse;
}

/** The nonzero elements, with their indices in row-major order. */
function sparse(tensor: TensorValue) {
  const entries = entriesOf(tensor) as Float32Array;
  const places = Array.from(entries.keys()).filter((i) => Number(entries[i]) !== 0);
  const kept = places.map((i) => entries[i] as number);
  const values = tensorOfEntries(tensor.type, [places.length], (entries.constructor as typeof Float32Array).from(kept));
  const indices: TensorValue = { type: 'int64', dims: [places.length], data: BigInt64Array.from(places, BigInt) };
  return { values, indices, dims: tensor.dims };
}

type ChangeTensor = (tensor: Stored) => Stored;

const withTensorAt = (proto: ModelProto, at: TensorAt, change: ChangeTensor): ModelProto =>
  withBodyAt(proto, at.graph, (body) => {
    if ('name' in at)
      return withChanges<Definition>(body, initializers(body as GraphProto, at.name, change)) as typeof body;
    return withNode(body, at.node, (node) =>
      withChanges(node, {
        attribute: node.attribute.map((each) => (each.name === at.attribute ? inAttribute(each, at.at, change) : each)),
      }),
    );
  });

const initializers = (graph: GraphProto, name: string, change: ChangeTensor): Partial<GraphProto> => ({
  initializer: graph.initializer.map((each) => (each.name === name ? (change(each) as TensorProto) : each)),
  sparseInitializer: graph.sparseInitializer.map((each) =>
    each.values?.name === name ? (change(each) as Sparse) : each,
  ),
});

/** `at` is an index in the order of `tensorsIn`. */
function inAttribute(attribute: AttributeProto, at: number, change: ChangeTensor): AttributeProto {
  let count = 0;
  const each = <T extends Stored>(tensor: T): T => (count++ === at ? (change(tensor) as T) : tensor);
  const { t, tensors, sparseTensor, sparseTensors } = attribute;
  return withChanges(attribute, {
    ...(t && { t: each(t) }),
    tensors: tensors.map(each),
    ...(sparseTensor && { sparseTensor: each(sparseTensor) }),
    sparseTensors: sparseTensors.map(each),
  });
}
