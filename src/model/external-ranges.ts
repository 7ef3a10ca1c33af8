import type { ModelProto, TensorProto } from '../../build/onnx.js';
import { normal } from './external-data.js';
import { Long } from './int64.js';
import { OWN_FILE } from './skeleton.js';
import { readInitializer } from './tensors.js';

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

const nothing = () => new Uint8Array();

/** The ranges of each external file that a model needs. */
export function externalRanges(model: ModelProto): Map<string, ByteRange[]> {
  const files = new Map<string, ByteRange[]>();
  const note = (path: string, offset: number, length: number) => {
    if (path === OWN_FILE) return nothing;
    const ranges = files.get(normal(path));
    if (ranges) ranges.push({ offset, length });
    else files.set(normal(path), [{ offset, length }]);
    return nothing;
  };
  for (const tensor of tensorsIn(model)) if (tensor.dataLocation === 1) readInitializer(tensor, note);
  return files;
}

/** All tensors in a message, at any depth. */
function* tensorsIn(message: object): Iterable<TensorProto> {
  if ('dataLocation' in message && 'externalData' in message && 'rawData' in message) {
    yield message as TensorProto;
    return;
  }
  for (const field of Object.values(message)) {
    if (!Array.isArray(field)) yield* tensorsInField(field);
    else if (holdsMessage(field[0])) for (const part of field) yield* tensorsInField(part);
  }
}

const tensorsInField = (field: unknown): Iterable<TensorProto> => (holdsMessage(field) ? tensorsIn(field) : []);

const holdsMessage = (field: unknown): field is object =>
  typeof field === 'object' && field !== null && !ArrayBuffer.isView(field) && !(field instanceof Long);
