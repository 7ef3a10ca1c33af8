import { type ModelProto, StringStringEntryProto, type TensorProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import { withFields } from '../model/document/changed.js';
import { fileOf, LeftBytes, type LeftFile } from '../model/document/left-bytes.js';
import type { Model } from '../model/document/model.js';
import { type Place, tensorsOf, withTensors } from '../model/document/tensors.js';
import { type ExternalData, normal, readExternal, tooShort } from '../model/external-data.js';
import { OWN_FILE } from '../model/skeleton.js';
import { isExternal, locationOf, rawLength } from './tensor-data.js';

/** A document in the form that the runtime reads. Data that are not in memory become external data. */
export interface RuntimeView {
  readonly proto: ModelProto;
  readonly externalData: ExternalData;
}

/**
 * Makes the runtime's view of a document.
 * @param isRead whether all data may be read; otherwise only small tensors, whose contents inference rules need
 */
export async function runtimeView(model: Model, isRead = false): Promise<RuntimeView> {
  const [proto, left] = withoutLeft(model.proto);
  const files = new Map<string, LeftFile | SardonyxError>();
  for (const path of new Set(tensorsOf(model.proto, isExternal).map(locationOf)))
    files.set(path, await model.files(path).catch(refusal));
  if (isRead) {
    for (const [i, bytes] of left.entries()) left[i] = await readable(bytes);
    for (const [path, file] of files) if (!(file instanceof SardonyxError)) files.set(path, await readable(file));
  }
  const find: Find = (path, offset) =>
    path === OWN_FILE ? { file: left[offset], begin: 0 } : { file: files.get(normal(path)), begin: offset };
  const held = await smallTensors(proto, find);
  const externalData: ExternalData = (path, offset, length) => {
    const { file, begin } = find(path, offset);
    if (!file || file instanceof SardonyxError)
      throw file ?? new SardonyxError('EXTERNAL_DATA', `the file ${path} does not exist`);
    if (begin + length > file.size) throw tooShort(path, file.size, begin, length);
    return () => held.get(keyOf(path, offset, length)) ?? atOnce(file, begin, length);
  };
  return { proto, externalData };
}

type Find = (
  path: string,
  offset: number,
) => { readonly file: LeftFile | SardonyxError | undefined; readonly begin: number };

const keyOf = (path: string, offset: number, length: number) => `${offset} ${length} ${path}`;

/** The maximum size in bytes of tensors with shapes and axes. Larger weights stay in their files. */
const SMALL = 4096;

/** Reads small tensors and tensors of attributes from files that cannot be read synchronously. */
async function smallTensors(proto: ModelProto, find: Find): Promise<Map<string, Uint8Array>> {
  const held = new Map<string, Uint8Array>();
  const isWanted = (tensor: TensorProto, place: Place) =>
    isExternal(tensor) && (place === 'attribute' || isSmall(tensor));
  for (const { path, offset, length } of tensorsOf(proto, isWanted).flatMap(placeOf)) {
    const { file, begin } = find(path, offset);
    const isThere = file && !(file instanceof SardonyxError) && begin + length <= file.size;
    if (isThere && !isAtOnce(file)) held.set(keyOf(path, offset, length), await file.range(begin, begin + length));
  }
  return held;
}

const isSmall = (tensor: TensorProto): boolean => placeOf(tensor).every(({ length }) => length <= SMALL);

interface PlaceInFile {
  readonly path: string;
  readonly offset: number;
  readonly length: number;
}

/** The location of a tensor; empty if it is invalid, which the reader will report. */
function placeOf(tensor: TensorProto): PlaceInFile[] {
  const places: PlaceInFile[] = [];
  try {
    readExternal(tensor, rawLength(tensor), (path, offset, length) => {
      places.push({ path, offset, length });
      return () => new Uint8Array();
    });
  } catch (thrown) {
    refusal(thrown);
  }
  return places;
}

function refusal(error: unknown): SardonyxError {
  if (error instanceof SardonyxError) return error;
  throw error;
}

/** Replaces lazy raw data by external data. The offset is the index of the data. */
function withoutLeft(proto: ModelProto): readonly [ModelProto, LeftFile[]] {
  const left: LeftFile[] = [];
  const elsewhere = (tensor: TensorProto) => {
    const { rawData } = tensor;
    if (!(rawData instanceof LeftBytes)) return tensor;
    const entries = { location: OWN_FILE, offset: left.length, length: rawData.size };
    const externalData = Object.entries(entries).map(([key, value]) =>
      Object.assign(new StringStringEntryProto(), { key, value: `${value}` }),
    );
    left.push(rawData);
    return withFields(tensor, { rawData: undefined, externalData, dataLocation: 1 });
  };
  return [withTensors(proto, elsewhere), left];
}

/** Makes a file readable synchronously, by reading all of it if necessary. */
async function readable(file: LeftFile): Promise<LeftFile> {
  return isAtOnce(file) ? file : fileOf(await file.range(0, file.size));
}

const isAtOnce = ({ range }: LeftFile): boolean => range(0, 0) instanceof Uint8Array;

/** Reads a range synchronously, which is not possible for files in a browser. */
function atOnce({ range }: LeftFile, offset: number, length: number): Uint8Array {
  const bytes = range(offset, offset + length);
  if (bytes instanceof Uint8Array) return bytes;
  throw new SardonyxError('EXTERNAL_DATA', 'the tensor is in a file that cannot be read synchronously');
}
