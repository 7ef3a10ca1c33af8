import type { Model } from '../model/document/model.js';
import {
  assertModel as assertProto,
  checkModel as checkProto,
  type Issue,
  type CheckOptions as ProtoOptions,
} from './check/index.js';
import { runtimeView } from './runtime-view.js';

/** Options of `checkModel` and `assertModel`. */
export type CheckOptions = Omit<ProtoOptions, 'externalData'>;

/**
 * Finds all violations of ONNX's rules in a model and its external data in one pass. An invalid model does not throw;
 * see `assertModel`.
 */
export async function checkModel(model: Model, options: CheckOptions = {}): Promise<Issue[]> {
  const { proto, externalData } = await runtimeView(model);
  return checkProto(proto, { ...options, externalData });
}

/**
 * Checks a model like `checkModel` and throws if there are errors.
 * @throws InvalidModelError whose `issues` lists all findings
 */
export async function assertModel(model: Model, options: CheckOptions = {}): Promise<void> {
  const { proto, externalData } = await runtimeView(model);
  return assertProto(proto, { ...options, externalData });
}
