import { type GraphProto, TypeProto, ValueInfoProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import type { Model } from '../../model/document/model.js';
import { typesOf } from '../infer/index.js';
import { graphOf } from './refuse.js';
import { typeProto } from './types.js';

/** What a graph says of the type of its values, wherever it does. */
export function declaredIn(graph: GraphProto): Map<string, ValueInfoProto> {
  const declared = [...graph.valueInfo, ...graph.output, ...graph.input].filter(({ type }) => type);
  const constants = graph.initializer.map(({ name, dataType, dims }) => infoOf(name, tensorProto(dataType, dims)));
  return new Map([...constants, ...declared].map((info) => [info.name, info]));
}

const tensorProto = (elemType: number, dims: GraphProto['initializer'][number]['dims']): TypeProto =>
  new TypeProto({ tensorType: { elemType, shape: { dim: dims.map((dimValue) => ({ dimValue })) } } });

export const infoOf = (name: string, type: TypeProto): ValueInfoProto => new ValueInfoProto({ name, type });

/** Values as inputs or outputs, with the types that the model says or that follow. */
export async function borderOf(model: Model, names: readonly string[]): Promise<ValueInfoProto[]> {
  const graph = graphOf(model);
  const declared = declaredIn(graph);
  const inferred = names.every((name) => declared.has(name)) ? undefined : await typesOf(model);
  return names.map((name) => {
    const type = inferred?.get(name);
    const info = declared.get(name) ?? (type && infoOf(name, typeProto(type)));
    if (info) return info;
    throw new SardonyxError(
      'INVALID_TYPE',
      'the model does not say its type, and it does not follow: inputs and outputs have one; add it to value_info',
      { value: name },
    );
  });
}
