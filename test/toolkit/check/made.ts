import {
  AttributeProto,
  FunctionProto,
  GraphProto,
  NodeProto,
  OperatorSetIdProto,
  SparseTensorProto,
  TensorProto,
  TypeProto,
  ValueInfoProto,
} from '../../../build/onnx.js';
import { fromNumber } from '../../../src/model/int64.js';
import type { Site } from './place.js';

// What faults add to models.

const FLOAT = 1;

export const valueInfo = (name: string, elemType = FLOAT): ValueInfoProto =>
  new ValueInfoProto({
    name,
    type: new TypeProto({ tensorType: new TypeProto.Tensor({ elemType, shape: { dim: [{ dimValue: 2 }] } }) }),
  });

export const node = (opType: string, input: string[], output: string[], more: NodeProto.$Properties = {}): NodeProto =>
  new NodeProto({ name: `fault_${output[0] ?? opType}`, opType, input, output, ...more });

export const attribute = (properties: AttributeProto.$Properties): AttributeProto => new AttributeProto(properties);

export const graphAttribute = (name: string, g: GraphProto): AttributeProto => attribute({ name, type: 5, g });

export const tensor = (name: string, dataType: number, dims: number[], int64Data: number[]): TensorProto =>
  new TensorProto({ name, dataType, dims, int64Data: int64Data.map(fromNumber) });

const INT64 = 7;

export const sparse = (
  name: string,
  values: number[],
  indices: number[],
  more: SparseTensorProto.$Properties = {},
): SparseTensorProto =>
  new SparseTensorProto({
    values: tensor(name, INT64, [values.length], values),
    indices: tensor('', INT64, [indices.length], indices),
    dims: [10],
    ...more,
  });

/** A function of the domain "fault" with one node. */
export const definition = (name: string, body: NodeProto[], more: FunctionProto.$Properties = {}): FunctionProto =>
  new FunctionProto({
    name,
    domain: 'fault',
    input: ['a'],
    output: ['b'],
    node: body,
    opsetImport: [
      new OperatorSetIdProto({ domain: '', version: 13 }),
      new OperatorSetIdProto({ domain: 'fault', version: 1 }),
    ],
    ...more,
  });

export const branch = (name: string, body: NodeProto[], output: string): GraphProto =>
  new GraphProto({ name, node: body, output: [valueInfo(output)] });

/** Adds an input of the graph, which nodes that are added can read, and no other fault touches. */
export function addInput({ model: { graph }, taken }: Site, elemType = FLOAT): string {
  const info = valueInfo(`fault_input_${graph?.input.length}`, elemType);
  graph?.input.push(info);
  taken.add(info);
  return info.name;
}

/** Adds a node behind all others, which no other fault touches, and says where it is. */
export function addNode({ model: { graph }, taken }: Site, added: NodeProto): string {
  taken.add(added);
  for (const { g } of added.attribute) for (const inner of g?.node ?? []) taken.add(inner);
  return `graph.node[${(graph?.node.push(added) ?? 0) - 1}]`;
}
