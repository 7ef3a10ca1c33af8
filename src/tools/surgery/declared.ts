import { type GraphProto, TypeProto, ValueInfoProto } from '../../../build/onnx.js';

/** The declared types of a graph's values. */
export function declaredIn(graph: GraphProto): Map<string, ValueInfoProto> {
  const declared = [...graph.valueInfo, ...graph.output, ...graph.input].filter(({ type }) => type);
  const constants = graph.initializer.map(({ name, dataType, dims }) => infoOf(name, tensorProto(dataType, dims)));
  return new Map([...constants, ...declared].map((info) => [info.name, info]));
}

const tensorProto = (elemType: number, dims: GraphProto['initializer'][number]['dims']): TypeProto =>
  new TypeProto({ tensorType: { elemType, shape: { dim: dims.map((dimValue) => ({ dimValue })) } } });

export const infoOf = (name: string, type: TypeProto): ValueInfoProto => new ValueInfoProto({ name, type });
