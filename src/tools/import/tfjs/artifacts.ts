import type { GraphDef, SignatureDef } from './graph-def.js';

/** A weight in the files of a TensorFlow.js model. */
export interface WeightSpec {
  /** The name of the weight. */
  readonly name: string;
  /** The shape of the weight. */
  readonly shape: readonly number[];
  /** The type of the weight: `float32`, `int32`, `bool` or `string`. */
  readonly dtype: string;
  /** The stored type of a quantized weight, with its scale and minimum. */
  readonly quantization?: {
    readonly dtype: string;
    readonly scale?: number;
    readonly min?: number;
  };
}

/** A TensorFlow.js model in memory, as the `ModelArtifacts` of `tf.io`. */
export interface TensorFlowJSArtifacts {
  /** The graph or the layers. */
  readonly modelTopology: object;
  /** Names, shapes and types of the weights, in the order of their data. */
  readonly weightSpecs?: readonly WeightSpec[] | undefined;
  /** The data of all weights, in one buffer or several. */
  readonly weightData?: ArrayBufferLike | Uint8Array | readonly (ArrayBufferLike | Uint8Array)[] | undefined;
  /** `graph-model` or `layers-model`. */
  readonly format?: string | undefined;
  /** The inputs and outputs of a graph model. */
  readonly signature?: object | undefined;
  /** The program that created the model. */
  readonly generatedBy?: string | undefined;
  /** The program that converted the model. */
  readonly convertedBy?: string | null | undefined;
  /** Metadata of the user; it becomes the metadata of the ONNX model. */
  readonly userDefinedMetadata?: Readonly<Record<string, unknown>> | undefined;
  /** The graph that initializes resources of the model. It is not converted. */
  readonly modelInitializer?: object | undefined;
}

/** The contents of model.json. */
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
