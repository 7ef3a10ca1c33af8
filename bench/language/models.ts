import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DecoderShape } from '../../test/layouts/decoder.js';
import type { Dtype } from '../../test/layouts/dtypes/index.js';
import { languageModel } from '../../test/layouts/language-model.js';
import { fileOf, writeRepository } from '../../test/layouts/repository.js';

/** Constants from this size on are external data, as in published models. */
const EXTERNAL_BYTES = 1024;

export interface Made {
  readonly path: string;
  /** Bytes of the model and its external data. */
  readonly bytes: number;
}

const MADE = fileURLToPath(new URL('../../build/models', import.meta.url));

/** The path of a file `file` for a model, next to its ONNX files. */
export const besideModel = (name: string, file: string): string => join(MADE, name, file);

/** A model repository in the usual layout with seeded weights, made on first use. */
export function madeModel(name: string, shape: DecoderShape, dtype: Dtype): Made {
  const folder = join(MADE, name);
  const path = join(folder, 'onnx', fileOf('model', dtype));
  const whole = `${path}.whole`;
  if (!existsSync(whole)) {
    console.error(`making ${name} in ${dtype}, once`);
    writeRepository(folder, languageModel(shape), [dtype], { externalFrom: EXTERNAL_BYTES });
    writeFileSync(whole, '');
  }
  const files = readdirSync(join(folder, 'onnx')).filter((file) => file.startsWith(fileOf('model', dtype)));
  return { path, bytes: files.reduce((sum, file) => sum + statSync(join(folder, 'onnx', file)).size, 0) };
}
