import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { TensorValue } from '../../src/tensor/tensor-value.js';

const place = (path: string) => new URL(`../../examples/chat/${path}`, import.meta.url);

export const MODEL = fileURLToPath(place('model/onnx/model_q4.onnx'));

export const modelJson = (name: string) => JSON.parse(readFileSync(place(`model/${name}`), 'utf8'));

export interface Tokenizer {
  encode(text: string): number[];
  decoder(): (id: number) => string;
}

export interface SamplingOptions {
  readonly temperature?: number;
  readonly topP?: number;
  readonly random?: () => number;
}

export interface Speaker {
  hear(text: string): void;
  speak(options?: SamplingOptions): AsyncGenerator<string>;
  forget(): void;
  length(): number;
  readonly context: number;
}

/** What runs a model: Sardonyx's package, or onnxruntime-node. */
export interface Runtime {
  readonly InferenceSession: { create(path: string): Promise<Session> };
  readonly Tensor: new (type: 'float32' | 'int64', data: Float32Array | BigInt64Array, dims: number[]) => unknown;
}

export interface Session {
  run(feeds: object): Promise<Record<string, TensorValue>>;
  release(): Promise<void>;
}

export interface Matrix {
  readonly dims: readonly number[];
  readonly data: Float32Array;
}

export interface Blocks {
  readonly bytes: Uint8Array;
  readonly scales: Float32Array;
  readonly dims: readonly number[];
}

interface Modules {
  'src/tokenizer.js': { tokenizerOf(file: object): Tokenizer };
  'src/sampling.js': { sample(logits: Float32Array, options?: SamplingOptions): number };
  'src/speaker.js': {
    createSpeaker(runtime: Runtime, session: object, files: { config: object; tokenizer: object }): Speaker;
  };
  'training/quantize.mjs': { quantize(matrix: Matrix): Blocks; dequantized(blocks: Blocks): Float32Array };
}

/** A module of the example, which is JavaScript. */
export const example = async <P extends keyof Modules>(path: P): Promise<Modules[P]> => import(place(path).href);
