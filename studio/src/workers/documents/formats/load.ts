import { loadModel } from '../../../../../src/tools/load-model.js';
import type { ModelFiles } from '../../contracts/documents.js';
import type { Loaded } from './loaded.js';

type Load = (files: ModelFiles) => Promise<Loaded>;

const ort: Load = async ({ model }) => (await import('./ort.js')).readOrt(await bytesOf(model));
const tflite: Load = async ({ model }) => (await import('./tflite.js')).readTflite(await bytesOf(model));
const imported: Load = async (files) => (await import('./imported.js')).readImported(files);

/** Signatures of files that are not protobuf messages. */
const STARTS: readonly (readonly [RegExp, Load])[] = [
  [/^.{4}ORTM/s, ort],
  [/^.{4}TFL3/s, tflite],
  [/^.{4}\0{4}\{/s, imported],
  [/^(GGUF|tree\r?\n|\s*\{)/, imported],
];

const OPENED = 'ONNX, ORT, TensorFlow Lite, safetensors, GGUF, XGBoost, LightGBM, CatBoost, and TensorFlow.js';

/** Reads a model of any format that the studio opens. */
export async function load(files: ModelFiles): Promise<Loaded> {
  const head = String.fromCharCode(...(await bytesOf(files.model.slice(0, 16))));
  try {
    const read = STARTS.find(([start]) => start.test(head))?.[1];
    return read ? await read(files) : { model: await loadModel(files.model, { externalData: files.beside }) };
  } catch (error) {
    throw new Error(`${(error as Error).message}. The studio opens ${OPENED}.`, { cause: error });
  }
}

const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());
