import { StringStringEntryProto, type TensorProto } from '../../build/onnx.js';
import { SardonyxError } from '../base/errors.js';
import { withFields } from '../model/document/changed.js';
import { sizeOf } from '../model/document/left-bytes.js';
import type { Model } from '../model/document/model.js';
import { type Place, tensorsOf, withTensors } from '../model/document/tensors.js';
import { normal } from '../model/external-data.js';
import { withProto } from './model-of.js';
import { PackedFile } from './packed-file.js';
import { isExternal, rawDataOf, rawLength } from './tensor-data.js';

/** Options of `toExternalData`. */
export interface ExternalDataOptions {
  /** The path of the data file, relative to the model. Default: `weights.data`. */
  readonly location?: string | undefined;
  /** Tensors with fewer bytes stay in the model. Default: 1024. Shapes and axes must stay in the model. */
  readonly threshold?: number | undefined;
  /** Whether to move tensors of attributes, too, not only initializers. */
  readonly attributes?: boolean | undefined;
}

const EXTERNAL = 1;
const THRESHOLD = 1024;
const STRING = 8;

/** The fields of a tensor that contain its elements. All are cleared for external data. */
export const ELSEWHERE = {
  rawData: undefined,
  floatData: undefined,
  int32Data: undefined,
  int64Data: undefined,
  doubleData: undefined,
  uint64Data: undefined,
};

/**
 * Returns the model with its large tensors in one file beside it, which `saveModel` writes. Equal tensors are stored
 * once; existing external data moves to the new file.
 * See https://onnx.ai/onnx/repo-docs/ExternalData.html.
 * @throws SardonyxError INVALID_ARGUMENT if `location` is outside the model's folder
 */
export async function toExternalData(model: Model, options: ExternalDataOptions = {}): Promise<Model> {
  const location = checkedLocation(options.location ?? 'weights.data');
  const file = new PackedFile();
  const moved = new Map<TensorProto, TensorProto>();
  const isConcerned = (tensor: TensorProto, place: Place) =>
    isExternal(tensor) || (isLarge(tensor, options) && (place === 'initializer' || options.attributes === true));
  for (const tensor of tensorsOf(model.proto, isConcerned)) {
    const data = await rawDataOf(tensor, model);
    moved.set(
      tensor,
      isLarge(tensor, options) ? outside(tensor, location, await file.add(data), data) : inside(tensor, data),
    );
  }
  if (moved.size === 0) return model;
  const proto = withTensors(model.proto, (tensor) => moved.get(tensor) ?? tensor);
  const pending = new Map([...(model.pending ?? []), [location, file.whole()]]);
  return { ...withProto(model, proto), ...withPending(model, pending) };
}

/** Returns the model with all tensors inside. Large tensors are read from their files when they are needed. */
export async function fromExternalData(model: Model): Promise<Model> {
  const moved = new Map<TensorProto, TensorProto>();
  for (const tensor of tensorsOf(model.proto, isExternal)) {
    moved.set(tensor, inside(tensor, await rawDataOf(tensor, model)));
  }
  if (moved.size === 0) return model;
  const proto = withTensors(model.proto, (tensor) => moved.get(tensor) ?? tensor);
  return { ...withProto(model, proto), pending: undefined };
}

const isLarge = (tensor: TensorProto, { threshold = THRESHOLD }: ExternalDataOptions): boolean =>
  tensor.dataType !== STRING && rawLength(tensor) >= threshold;

/** Moves the data of a tensor to a file. */
export function outside(tensor: TensorProto, location: string, offset: number, data: Uint8Array): TensorProto {
  const entries = { location, offset, length: sizeOf(data) };
  const externalData = Object.entries(entries).map(([key, value]) => entry(key, `${value}`));
  return withFields(tensor, { ...ELSEWHERE, externalData, dataLocation: EXTERNAL });
}

const inside = (tensor: TensorProto, data: Uint8Array): TensorProto =>
  withFields(tensor, {
    rawData: data as Uint8Array<ArrayBuffer>,
    externalData: undefined,
    dataLocation: undefined,
  });

const entry = (key: string, value: string) => Object.assign(new StringStringEntryProto(), { key, value });

/** Adds files that have not been written yet. They take precedence over existing files. */
export function withPending(
  { files }: Model,
  pending: NonNullable<Model['pending']>,
): Pick<Model, 'files' | 'pending'> {
  return { pending, files: async (path) => pending.get(normal(path)) ?? files(path) };
}

/** A normalized path in the model's folder or below. */
export function checkedLocation(location: string): string {
  const isBelow = location !== '' && !/^[/\\]|^[a-z]:|\0/i.test(location) && !location.split(/[/\\]/).includes('..');
  if (isBelow) return normal(location);
  throw new SardonyxError(
    'INVALID_ARGUMENT',
    `location: expected a relative path within the model's folder, got ${JSON.stringify(location)}`,
  );
}
