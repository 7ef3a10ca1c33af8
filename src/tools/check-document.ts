import type { Model } from '../model/document/model.js';
import {
  assertModel as assertProto,
  checkModel as checkProto,
  type Issue,
  type CheckOptions as ProtoOptions,
} from './check/index.js';
import { runtimeView } from './runtime-view.js';

export type CheckOptions = Omit<ProtoOptions, 'externalData'>;

/** All violations of ONNX's rules in a model and its external files, in one pass. Nothing is thrown for a bad model. */
export async function checkModel(model: Model, options: CheckOptions = {}): Promise<Issue[]> {
  const { proto, externalData } = await runtimeView(model);
  return checkProto(proto, { ...options, externalData });
}

/**
 * Throws what `checkModel` finds, if there are errors among it.
 * @throws InvalidModelError, whose `issues` has all of them
 */
export async function assertModel(model: Model, options: CheckOptions = {}): Promise<void> {
  const { proto, externalData } = await runtimeView(model);
  return assertProto(proto, { ...options, externalData });
}
