import { isPromise } from '../base/shown.js';

/** What to do with something that is no model and no place of one. */
export function noSource(complaint: string, source: unknown): string {
  if (source === undefined || source === null) return `${complaint}: InferenceSession.create('model.onnx')`;
  if (isPromise(source)) return complaint;
  if (ArrayBuffer.isView(source))
    return `${complaint}: give its bytes, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)`;
  if (Array.isArray(source)) return `${complaint}: of bytes in a list, give Uint8Array.from(list)`;
  if (typeof source === 'object' && '0' in source) return `${complaint}: give its first entry`;
  return `${complaint}: what is in an .onnx file, or where it is`;
}
