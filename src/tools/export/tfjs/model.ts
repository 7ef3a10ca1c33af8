import type { TensorFlowJSArtifacts } from '../../import/tfjs/artifacts.js';

export interface TensorFlowJSModel extends TensorFlowJSArtifacts {
  /** The same as files, by their names: `model.json`, and those of the weights, of 4 MiB each. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}
