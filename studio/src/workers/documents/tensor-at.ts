import type { AttributeProto, GraphProto, Model, NodeProto, TensorProto } from 'sardonyx/model';
import { TensorProto as Proto } from '../../../../build/onnx.js';
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

/** TensorProto.DataType */
const [FLOAT, INT64, STRING] = [1, 7, 8];

/** Attributes that a Constant may have instead of a tensor: https://onnx.ai/onnx/operators/onnx__Constant.html */
const SPELLED: Readonly<Record<string, (attribute: AttributeProto) => Proto.$Properties>> = {
  value_float: ({ f }) => ({ dataType: FLOAT, floatData: [f] }),
  value_floats: ({ floats }) => ({ dataType: FLOAT, dims: [floats.length], floatData: floats }),
  value_int: ({ i }) => ({ dataType: INT64, int64Data: [i] }),
  value_ints: ({ ints }) => ({ dataType: INT64, dims: [ints.length], int64Data: ints }),
  value_string: ({ s }) => ({ dataType: STRING, stringData: [s] }),
  value_strings: ({ strings }) => ({ dataType: STRING, dims: [strings.length], stringData: strings }),
};

/** Whether an attribute of this name holds plain elements instead of a tensor. */
export const isSpelled = (attribute: string): boolean => Object.hasOwn(SPELLED, attribute);

export function tensorsIn(attribute: AttributeProto | undefined): (TensorProto | SparseTensorProto)[] {
  if (!attribute || attribute.refAttrName) return [];
  const { name, t, tensors, sparseTensor, sparseTensors } = attribute;
  if (isSpelled(name)) return [new Proto(SPELLED[name]?.(attribute)) as TensorProto];
  return [t, ...tensors, sparseTensor, ...sparseTensors].filter((tensor) => tensor !== null && tensor !== undefined);
}

export const isConstant = ({ opType, domain }: NodeProto): boolean =>
  opType === 'Constant' && (domain === '' || domain === 'ai.onnx');
