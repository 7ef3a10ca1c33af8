import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encode } from 'fast-png';
import { readValue } from '../../src/model/read-values.js';
import { readNpy } from '../../src/tensor/npy.js';
import type { Tensor } from '../../src/tensor/tensor.js';

/** A folder for files to work on. */
export const scratch = mkdtempSync(join(tmpdir(), 'sardonyx-recipes-'));
process.once('exit', () => rmSync(scratch, { recursive: true }));

export function file(name: string, contents: string | Uint8Array): string {
  const path = join(scratch, name);
  writeFileSync(path, contents);
  return path;
}

const digits = (file: string) => readNpy(readFileSync(new URL(`../../examples/digits/${file}`, import.meta.url)));

export const DIGITS_MODEL = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));

/** The i-th of the digits that the model has not learned from, and what it shows. */
export function digit(i: number): { readonly png: Uint8Array; readonly label: number } {
  const levels = digits('images.npy').data as Uint8Array;
  const data = Uint8Array.from(levels.subarray(64 * i, 64 * (i + 1)), (level) => Math.round((level * 255) / 16));
  return {
    png: encode({ width: 8, height: 8, channels: 1, depth: 8, data }),
    label: Number(digits('labels.npy').data[i]),
  };
}

/** A tensor of a data set in the Model Zoo's layout. */
export const zooTensor = (folder: string, file: string): Tensor =>
  readValue(readFileSync(`${folder}/${file}.pb`)) as unknown as Tensor;
