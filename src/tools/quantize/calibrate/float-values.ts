import type { ModelProto, TypeProto } from '../../../../build/onnx.js';
import type { Model } from '../../../model/document/model.js';
import { elementTypeOf } from '../../../tensor/element-types.js';
import { inferShapes } from '../../infer/index.js';
import { constantIn, outermostScope } from '../graphs.js';
import type { ScaleType } from '../static/parameters.js';

/** The types of the main graph's values and constants that can be quantized. */
export type FloatValues = ReadonlyMap<string, ScaleType>;

const QUANTIZABLE: readonly unknown[] = ['float32', 'float16'] satisfies ScaleType[];

export async function floatValuesOf(model: Model): Promise<FloatValues> {
  const { graph } = (await inferShapes(model)).proto;
  const { input = [], output = [], valueInfo = [], initializer = [] } = graph ?? {};
  const told = [...valueInfo, ...output, ...input].map(({ name, type }) => [name, elementOf(type)] as const);
  const all = [...told, ...initializer.map(({ name, dataType }) => [name, elementTypeOf(dataType)] as const)];
  return new Map(all.filter((entry): entry is [string, ScaleType] => QUANTIZABLE.includes(entry[1])));
}

const elementOf = (type: TypeProto | null | undefined) =>
  type?.tensorType ? elementTypeOf(type.tensorType.elemType) : undefined;

/** The non-constant inputs and outputs of nodes with the given operators. */
export function observableIn(proto: ModelProto, floats: FloatValues, types?: readonly string[]): string[] {
  const { graph } = proto;
  if (!graph) return [];
  const scope = outermostScope(graph, proto);
  const touched = graph.node
    .filter(({ opType }) => !types || types.includes(opType))
    .flatMap(({ input, output }) => [...input, ...output]);
  return [...new Set(touched)].filter((name) => floats.has(name) && !constantIn(scope, name));
}
