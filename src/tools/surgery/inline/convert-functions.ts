import { type FunctionProto, GraphProto, type ModelProto } from '../../../../build/onnx.js';
import { changedList, withChanges } from '../../../model/document/changed.js';
import type { Model } from '../../../model/document/model.js';
import { withProto } from '../../model-of.js';
import { functionsByKey, keyOf } from '../functions.js';
import { agree } from './agree.js';
import { opsetsOf } from './opsets.js';

/** Converts a model to another opset of ai.onnx. */
export type ConvertVersion = (model: Model, opset: number) => Model | Promise<Model>;

/** Converts the functions that are incompatible with the model's opset of ai.onnx. */
export async function converted(model: Model, keys: ReadonlySet<string>, convert: ConvertVersion): Promise<ModelProto> {
  const { proto } = model;
  const opsets = opsetsOf(proto.opsetImport);
  const known = functionsByKey(proto);
  const target = opsets.get('');
  if (target === undefined) return proto;
  const done = new Map<string, FunctionProto>();
  for (const definition of proto.functions)
    if (keys.has(keyOf(definition)) && !agree(definition, opsets, known))
      done.set(keyOf(definition), await convertedFunction(model, definition, target, convert));
  return withChanges(proto, { functions: changedList(proto.functions, (f) => done.get(keyOf(f)) ?? f) });
}

/** Converts a function as part of a model that contains nothing else. */
async function convertedFunction(
  model: Model,
  definition: FunctionProto,
  target: number,
  convert: ConvertVersion,
): Promise<FunctionProto> {
  const alone = withChanges(model.proto, {
    graph: new GraphProto({ name: definition.name }),
    functions: [definition],
    opsetImport: definition.opsetImport,
    trainingInfo: [],
  });
  const { proto } = await convert(withProto(model, alone), target);
  return proto.functions.find((f) => keyOf(f) === keyOf(definition)) ?? definition;
}
