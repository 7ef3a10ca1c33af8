import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder of onnxruntime-web's files, as the project in a folder has it; undefined where it has none. */
export function onnxruntimeOf(folder) {
  try {
    return dirname(createRequire(join(folder, 'package.json')).resolve('onnxruntime-web'));
  } catch {
    return undefined;
  }
}
