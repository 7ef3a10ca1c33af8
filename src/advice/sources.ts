import { isPromise } from '../base/shown.js';

/** Suggests what to pass instead of something that is not a source of a model. */
export function noSource(complaint: string, source: unknown): string {
  if (source === undefined || source === null) return `${complaint}: InferenceSession.create('model.onnx')`;
  if (isPromise(source)) return complaint;
  if (ArrayBuffer.isView(source))
    return `${complaint}: pass its bytes as new Uint8Array(data.buffer, data.byteOffset, data.byteLength)`;
  if (Array.isArray(source)) return `${complaint}: for an array of bytes, pass Uint8Array.from(array)`;
  if (typeof source === 'object' && '0' in source) return `${complaint}: pass its first entry`;
  return `${complaint}: pass the contents or the location of an .onnx file`;
}
