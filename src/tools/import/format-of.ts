import { SardonyxError } from '../../base/errors.js';
import type { DataSource } from '../../loading/source.js';
import type { LeftFile } from '../../model/document/left-bytes.js';
import { openBeside } from '../load-model.js';
import { parsed, withoutNaN } from './json.js';

/** A format that can be imported. */
export type ImportFormat = 'safetensors' | 'gguf' | 'xgboost' | 'lightgbm' | 'catboost' | 'tensorflowjs';

/**
 * The first bytes of files: the magic number of GGUF, the type of the first key's length in UBJSON, and the first line
 * of LightGBM.
 */
const STARTS: readonly (readonly [RegExp, ImportFormat])[] = [
  // A header length below 2^32, followed by JSON. The length may start with the code of an opening brace.
  [/^.{4}\0{4}\{/s, 'safetensors'],
  [/^GGUF/, 'gguf'],
  [/^\{[iUIlL]/, 'xgboost'],
  [/^tree\r?\n/, 'lightgbm'],
];

/** Keys that identify JSON formats. */
const KEYS: Readonly<Record<string, ImportFormat>> = {
  weight_map: 'safetensors',
  modelTopology: 'tensorflowjs',
  learner: 'xgboost',
  oblivious_trees: 'catboost',
  features_info: 'catboost',
};

/**
 * Detects the format of a file by its contents.
 * @throws SardonyxError INVALID_ARGUMENT if the format is unknown
 */
export async function importFormatOf(source: DataSource): Promise<ImportFormat> {
  const { file } = await openBeside(source);
  const start = String.fromCharCode(...(await file.range(0, Math.min(16, file.size))));
  const found = STARTS.find(([pattern]) => pattern.test(start))?.[1] ?? (await formatOfJson(start, file));
  if (found) return found;
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    'unknown file format; expected safetensors (or its index), GGUF, XGBoost (JSON, UBJSON), LightGBM (text), CatBoost (JSON) or TensorFlow.js (model.json)',
  );
}

async function formatOfJson(start: string, { range, size }: LeftFile): Promise<ImportFormat | undefined> {
  if (!/^\s*\{/.test(start)) return undefined;
  const whole = parsed<object>(await range(0, size), 'the file', withoutNaN);
  return Object.entries(KEYS).find(([key]) => Object.hasOwn(whole, key))?.[1];
}
