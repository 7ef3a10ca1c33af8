import { type ModelProto, StringStringEntryProto, type TensorProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import { withFields } from '../model/document/changed.js';
import { fileOf, LeftBytes, type LeftFile } from '../model/document/left-bytes.js';
import type { Model } from '../model/document/model.js';
import { tensorsOf, withTensors } from '../model/document/tensors.js';
import { type ExternalData, normal, tooShort } from '../model/external-data.js';
import { OWN_FILE } from '../model/skeleton.js';
import { isExternal, locationOf } from './tensor-data.js';

/** A document as the runtime's reader takes models: what was left in files is external data. */
export interface RuntimeView {
  readonly proto: ModelProto;
  readonly externalData: ExternalData;
}

export async function runtimeView(model: Model): Promise<RuntimeView> {
  const [proto, left] = withoutLeft(model.proto);
  const files = new Map<string, LeftFile | SardonyxError>();
  for (const path of new Set(tensorsOf(model.proto, isExternal).map(locationOf)))
    files.set(path, await model.files(path).catch(refusal));
  const externalData: ExternalData = (path, offset, length) => {
    const file = path === OWN_FILE ? fileOf(left[offset] as LeftBytes) : files.get(normal(path));
    if (!file || file instanceof SardonyxError) throw file ?? new SardonyxError('EXTERNAL_DATA', `there is no ${path}`);
    const begin = path === OWN_FILE ? 0 : offset;
    if (begin + length > file.size) throw tooShort(path, file.size, begin, length);
    return () => atOnce(file, begin, length);
  };
  return { proto, externalData };
}

function refusal(error: unknown): SardonyxError {
  if (error instanceof SardonyxError) return error;
  throw error;
}

/** Raw data that were left are found by their number, in the place of an offset. */
function withoutLeft(proto: ModelProto): readonly [ModelProto, readonly LeftBytes[]] {
  const left: LeftBytes[] = [];
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

/** What the reader asks for now; a file of a page cannot give it. */
function atOnce({ range }: LeftFile, offset: number, length: number): Uint8Array {
  const bytes = range(offset, offset + length);
  if (bytes instanceof Uint8Array) return bytes;
  throw new SardonyxError('EXTERNAL_DATA', 'its bytes are in a file that cannot be read at once');
}
