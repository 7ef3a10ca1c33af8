import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Model } from '../../src/graph/graph.js';
import { converted, DTYPES, type Dtype } from './dtypes/index.js';
import { type WriteFilesOptions, writeFiles } from './write-files.js';

/** What a repository on the Hub has of a model that transformers.js loads. */
export interface Repository {
  /** config.json, tokenizer.json and others. */
  readonly json: Readonly<Record<string, object>>;
  /** The files in onnx/, without their dtypes: model, encoder_model, decoder_model_merged. */
  readonly models: Readonly<Record<string, (dtype: Dtype) => Model>>;
  /** Inputs and outputs that are halves where the model is. */
  readonly isHalf?: (name: string) => boolean;
}

export function writeRepository(
  folder: string,
  { json, models, isHalf }: Repository,
  dtypes: readonly Dtype[],
  options: WriteFilesOptions = {},
): void {
  for (const [path, contents] of Object.entries(json)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), JSON.stringify(contents));
  }
  for (const [name, make] of Object.entries(models))
    for (const dtype of dtypes)
      writeFiles(join(folder, 'onnx', fileOf(name, dtype)), converted(make(dtype), dtype, { isHalf }), options);
}

export const fileOf = (model: string, dtype: Dtype): string => `${model}${DTYPES[dtype].suffix}.onnx`;
