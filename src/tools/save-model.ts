import { ModelProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import { Loading, type LoadOptions } from '../loading/loading.js';
import { type Encoded, encodeParts, MOST_BYTES } from '../model/document/encode.js';
import { piecesOf, rangeOf, sizeOf, takingTurns } from '../model/document/left-bytes.js';
import type { Model } from '../model/document/model.js';
import { tensorsOf } from '../model/document/tensors.js';
import { checkedLocation, type ExternalDataOptions, toExternalData } from './external-data.js';
import type { Output } from './output.js';
import { type Destination, destinationOf, type SaveTarget } from './save-target.js';
import { isExternal, locationOf } from './tensor-data.js';

/** Options of `saveModel`. */
export interface SaveModelOptions extends LoadOptions {
  /** Moves the weights to a file beside the model, as `toExternalData` does. `true` names the file after the model. */
  readonly externalData?: boolean | ExternalDataOptions | undefined;
}

/**
 * Writes a model and its external data; files that are already in place are not written again. All files appear under
 * their names only when they are complete. Weights of a model above protobuf's limit of 2 GiB become external data.
 * Without a target, it returns the bytes, which are the original ones if the model is unchanged.
 * @throws SardonyxError INVALID_ARGUMENT if the target cannot be written or is a single file for a model with external
 * data, LIMIT if a single file would exceed 2 GiB, UNSUPPORTED_PLATFORM, ABORTED
 */
export async function saveModel(model: Model, target?: undefined, options?: SaveModelOptions): Promise<Uint8Array>;
/**
 * Writes a model and the files that it refers to, except those that are already in place. All appear under their names
 * when they are complete. Weights of a model above protobuf's limit of 2 GiB become external data.
 */
export async function saveModel(model: Model, target: SaveTarget, options?: SaveModelOptions): Promise<undefined>;
export async function saveModel(
  model: Model,
  target?: SaveTarget,
  options: SaveModelOptions = {},
): Promise<Uint8Array | undefined> {
  const loading = new Loading(options);
  try {
    loading.check();
    if (target === undefined) return await inMemory(encodedAlone(model, options));
    await write(model, destinationOf(target), options, loading);
    return undefined;
  } finally {
    loading.close();
  }
}

async function inMemory({ size, parts }: Encoded): Promise<Uint8Array> {
  const [bytes, take] = [new Uint8Array(size), takingTurns(PIECES)];
  let at = 0;
  for (const part of parts)
    for await (const piece of piecesOf(part, take)) {
      bytes.set(piece, at);
      at += piece.length;
    }
  return bytes;
}

const encoded = ({ original, proto }: Model): Encoded =>
  original ? { size: sizeOf(original), parts: [original] } : encodeParts(ModelProto, proto);

/** The paths of a model's external data. */
const pathsOf = ({ proto }: Model): string[] => [...new Set(tensorsOf(proto, isExternal).map(locationOf))];

/** Encodes a model as a single file. */
function encodedAlone(model: Model, { externalData }: SaveModelOptions): Encoded {
  const path = pathsOf(model).find((known) => model.pending?.has(known));
  if (path !== undefined || externalData)
    throw new SardonyxError(
      'INVALID_ARGUMENT',
      `external data${path === undefined ? '' : ` (${JSON.stringify(path)})`} cannot be saved to a single file; save to a path or { folder, name }, or call fromExternalData first`,
    );
  const whole = encoded(model);
  if (whole.size <= MOST_BYTES) return whole;
  throw new SardonyxError(
    'LIMIT',
    `the model has ${whole.size} bytes, but protobuf supports at most ${MOST_BYTES}; save to a path or { folder, name }, which allows external data`,
  );
}

/** A file to write in pieces. */
interface Written extends Encoded {
  readonly name: string;
}

async function write(model: Model, place: Destination, options: SaveModelOptions, loading: Loading): Promise<void> {
  const { name, isFolder } = place;
  const files = isFolder ? await filesOf(model, place, options) : [{ name, ...encodedAlone(model, options) }];
  const outputs: Output[] = [];
  try {
    for (const file of files) {
      const output = await place.open(file.name);
      outputs.push(output);
      await copy(file, output, loading);
    }
  } catch (error) {
    for (const output of outputs) await output.discard();
    throw error;
  }
  for (const output of outputs) await output.finish();
}

/** The files to write for a model in a folder, external data first. Files that are already in place are omitted. */
async function filesOf(model: Model, { name, folder }: Destination, options: SaveModelOptions): Promise<Written[]> {
  const divided = await divide(model, name, options);
  const { pending, files } = divided;
  const isThere = (path: string) => !pending?.has(path) && folder !== undefined && folder === divided.folder;
  const written: Written[] = [];
  for (const path of pathsOf(divided)) {
    if (checkedLocation(path) === name)
      throw new SardonyxError(
        'INVALID_ARGUMENT',
        `the model has external data in "${name}"; save the model under another name`,
      );
    if (isThere(path)) continue;
    const file = await files(path);
    written.push({ name: path, size: file.size, parts: [rangeOf(file, 0, file.size)] });
  }
  return [...written, { name, ...encoded(divided) }];
}

/** Moves weights to external data if requested or necessary. */
async function divide(model: Model, name: string, { externalData }: SaveModelOptions): Promise<Model> {
  if (!externalData && (model.original || encoded(model).size <= MOST_BYTES)) return model;
  const options = typeof externalData === 'object' ? externalData : {};
  return toExternalData(model, { ...options, location: options.location ?? `${name}.data` });
}

/** The number of pieces in memory: one is written, one waits, one is read. */
const PIECES = 3;

/** Copies a file in pieces. One is written while the next is read or computed. */
async function copy({ name, size, parts }: Written, output: Output, loading: Loading): Promise<void> {
  const meter = loading.meter.file(name);
  const take = takingTurns(PIECES);
  let done = 0;
  let writing: ReturnType<Output['write']> | undefined;
  try {
    for (const part of parts)
      for await (const piece of piecesOf(part, take)) {
        await writing;
        loading.check();
        writing = output.write(piece);
        done += piece.length;
        meter(done, size);
      }
  } finally {
    await writing;
  }
}
