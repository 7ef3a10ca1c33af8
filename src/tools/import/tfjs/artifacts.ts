import type { GraphDef, SignatureDef } from './graph-def.js';

/** A weight in the file of a TensorFlow.js model. */
export interface WeightSpec {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly quantization?: {
    readonly dtype: string;
    readonly scale?: number;
    readonly min?: number;
  };
}

/** A TensorFlow.js model in memory: what `tf.io` calls its artifacts. */
export interface TensorFlowJSArtifacts {
  readonly modelTopology: object;
  readonly weightSpecs?: readonly WeightSpec[] | undefined;
  /** All weights one behind another, or in pieces. */
  readonly weightData?: ArrayBufferLike | Uint8Array | readonly (ArrayBufferLike | Uint8Array)[] | undefined;
  readonly format?: string | undefined;
  readonly signature?: object | undefined;
  readonly generatedBy?: string | undefined;
  readonly convertedBy?: string | null | undefined;
  readonly userDefinedMetadata?: Readonly<Record<string, unknown>> | undefined;
  readonly modelInitializer?: object | undefined;
}

/** A model.json. */
export interface ModelJson {
  readonly modelTopology?: object;
  readonly weightsManifest?: readonly { readonly paths: readonly string[]; readonly weights: readonly WeightSpec[] }[];
  readonly format?: string;
  readonly signature?: SignatureDef;
  readonly generatedBy?: string;
  readonly convertedBy?: string;
  readonly userDefinedMetadata?: Record<string, unknown>;
}

export const isGraphDef = (topology: object): topology is GraphDef =>
  Array.isArray((topology as Partial<GraphDef>).node);
