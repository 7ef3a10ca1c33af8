import { type NodeProto, TensorProto } from '../../../../build/onnx.js';
import { attributeTypeOf } from '../../../model/attribute-types.js';
import { readTensor } from '../../../model/tensors.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { type EditedGraph, type EditedValue, graphsUnder } from '../edit/graph.js';

/** The tensor of a Constant node: https://onnx.ai/onnx/operators/onnx__Constant.html */
export function constantOf({ opType, domain, attribute }: NodeProto): TensorValue | undefined {
  const [said] = attribute;
  if (opType !== 'Constant' || domain || !said) return undefined;
  switch (attributeTypeOf(said.type)) {
    case 'tensor':
      return said.t ? readTensor(said.t) : undefined;
    case 'float':
      return { type: 'float32', dims: [], data: Float32Array.of(said.f) };
    case 'floats':
      return { type: 'float32', dims: [said.floats.length], data: Float32Array.from(said.floats) };
    case 'int':
    case 'ints':
      return integersOf(
        said.name === 'value_int' ? [said.i] : said.ints,
        said.name === 'value_int' ? [] : [said.ints.length],
      );
    default:
      return undefined;
  }
}

const integersOf = (int64Data: NodeProto['attribute'][number]['ints'], dims: number[]): TensorValue =>
  readTensor(new TensorProto({ dataType: 7, dims, int64Data }));

/** The contents of constants with at most `most` elements. */
export async function constantsIn(graph: EditedGraph, most: number): Promise<Map<EditedValue, TensorValue>> {
  const found = new Map<EditedValue, TensorValue>();
  for (const { constants, nodes } of graphsUnder(graph)) {
    for (const value of constants) {
      const { constant } = value;
      if (!(constant instanceof TensorProto) || elementCount(constant.dims.map(Number)) > most) continue;
      const tensor = value.isInput ? undefined : await value.tensor();
      if (tensor) found.set(value, tensor);
    }
    for (const { source, outputs } of nodes) {
      const tensor = constantOf(source);
      if (tensor && outputs[0]) found.set(outputs[0], tensor);
    }
  }
  return found;
}

/** Whether tensors have the same type and elements. The rank of a single element does not matter. */
export function isEqual(a: TensorValue, b: TensorValue): boolean {
  const count = elementCount(a.dims);
  if (a.type !== b.type || count !== elementCount(b.dims)) return false;
  if (count !== 1 && `${a.dims}` !== `${b.dims}`) return false;
  return [...(a.data as ArrayLike<unknown> & Iterable<unknown>)].every((x, i) => Object.is(x, b.data[i]));
}
