import { closeSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { SardonyxError } from '../base/errors.js';
import type { Model } from '../graph/graph.js';
import { constantsOf } from '../graph/walk.js';
import type { FilePlace } from '../model/write-attributes.js';
import { writeModel } from '../model/write-model.js';
import { byteLength } from '../tensor/element-types.js';
import { bytesOf } from '../tensor/stored-tensor.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import { cannotWrite, type Reporter, requireFolderOf, write } from './write-file.js';

/**
 * The maximum size of weights in a model. protobuf messages must be below 2 GiB, with room for the rest of the model.
 */
const MOST_INSIDE = 2 ** 31 - 2 ** 26;
/** Smaller tensors stay in the model, as shapes and axes are needed when it is loaded. */
const LEAST_OUTSIDE = 1024;
/** The alignment of offsets, so that files can be mapped: https://onnx.ai/onnx/repo-docs/ExternalData.html */
const ALIGNMENT = 4096;

const bytesIn = ({ type, dims }: TensorValue): number => byteLength(type, elementCount(dims));

/** The size of a model's constants in bytes. */
export const weightBytes = ({ graph }: Model): number =>
  [...constantsOf(graph)].reduce((sum, tensor) => sum + bytesIn(tensor), 0);

/**
 * Writes a model. Its weights go to `PATH.data` if requested or if a single file cannot hold them. Files are renamed
 * when they are complete, as the model may be read from the files that they replace.
 * @returns the paths written
 */
export function writeModelFile(
  io: Reporter,
  path: string,
  model: Model,
  isSplit = weightBytes(model) > MOST_INSIDE,
): string[] {
  if (!isSplit) {
    write(io, path, writeModel(model));
    return [path];
  }
  requireFolderOf(path);
  const data = `${path}.data`;
  const place = writing(`${data}.partial`, () => writeWeights(`${data}.partial`, basename(data), model));
  const bytes = writeModel(model, { external: (tensor) => place.get(tensor) });
  writing(data, () => renameSync(`${data}.partial`, data));
  write(io, path, bytes);
  io.wrote(data, statSync(data).size);
  return [path, data];
}

function writeWeights(path: string, location: string, model: Model): ReadonlyMap<TensorValue, FilePlace> {
  const places = new Map<TensorValue, FilePlace>();
  const file = openSync(path, 'w');
  try {
    let end = 0;
    for (const tensor of constantsOf(model.graph)) {
      const length = bytesIn(tensor);
      if (tensor.type === 'string' || length < LEAST_OUTSIDE) continue;
      const offset = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
      writeAt(file, bytesOf(tensor), offset);
      places.set(tensor, { location, offset, length });
      end = offset + length;
    }
    return places;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

function writeAt(file: number, bytes: Uint8Array, offset: number): void {
  const MOST_AT_ONCE = 2 ** 30;
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, Math.min(bytes.length - done, MOST_AT_ONCE), offset + done);
}

function writing<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (cause instanceof SardonyxError) throw cause;
    throw cannotWrite(path, (cause as Error).message, cause);
  }
}
