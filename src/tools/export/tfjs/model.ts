import type { TensorFlowJSArtifacts } from '../../import/tfjs/artifacts.js';

/** A TensorFlow.js graph model in memory. */
export interface TensorFlowJSModel extends TensorFlowJSArtifacts {
  /** The same model as files, by name: `model.json`, and weight files of 4 MiB each. */
  readonly files: ReadonlyMap<string, Uint8Array>;
}
