import { SardonyxError } from '../../../base/errors.js';
import { shown } from '../../../base/shown.js';
import { fromFloat16 } from '../../../tensor/half.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import type { TensorFlowJSArtifacts, WeightSpec } from './artifacts.js';

const WIDTHS: Readonly<Record<string, number>> = { float32: 4, int32: 4, bool: 1, uint8: 1, uint16: 2, float16: 2 };

const fail = (name: string, complaint: string): never => {
  throw new SardonyxError('INVALID_MODEL', complaint, { value: name });
};

/** All weights by name. Quantized weights are dequantized. */
export function weightsOf({ weightSpecs = [], weightData }: TensorFlowJSArtifacts): Map<string, TensorValue> {
  const bytes = whole(weightData);
  let offset = 0;
  return new Map(
    weightSpecs.map((spec) => {
      const length = spec.dtype === 'string' ? textLength(spec, bytes, offset) : lengthOf(spec);
      if (offset + length > bytes.length)
        fail(spec.name, `the weight ends at byte ${offset + length}, but the weight files have ${bytes.length} bytes`);
      const tensor = read(spec, bytes.slice(offset, offset + length));
      offset += length;
      return [spec.name, tensor];
    }),
  );
}

function whole(data: TensorFlowJSArtifacts['weightData']): Uint8Array {
  if (!data) return new Uint8Array();
  const parts = (Array.isArray(data) ? data : [data]).map((part) =>
    ArrayBuffer.isView(part) ? bytesIn(part) : new Uint8Array(part),
  );
  if (parts.length === 1) return parts[0] as Uint8Array;
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

const bytesIn = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

function lengthOf({ name, shape, dtype, quantization }: WeightSpec): number {
  if (!Array.isArray(shape) || !shape.every((size) => Number.isSafeInteger(size) && size >= 0))
    return fail(name, `invalid shape ${shown(shape)}`);
  const stored = quantization?.dtype ?? dtype;
  const width = Object.hasOwn(WIDTHS, stored) ? WIDTHS[stored] : undefined;
  if (width) return width * elementCount(shape);
  return fail(
    name,
    `unsupported weight type ${shown(stored)}; expected float32, int32, bool or string, or uint8, uint16 or float16 for quantized floats`,
  );
}

function read({ name, shape: dims, dtype, quantization }: WeightSpec, bytes: Uint8Array): TensorValue {
  const { buffer } = bytes;
  if (quantization) return unquantized(name, dims, dtype, quantization, buffer as ArrayBuffer);
  if (dtype === 'float32') return { type: 'float32', dims, data: new Float32Array(buffer) };
  if (dtype === 'int32') return { type: 'int32', dims, data: new Int32Array(buffer) };
  if (dtype === 'bool') return { type: 'bool', dims, data: bytes };
  if (dtype === 'string') return { type: 'string', dims, data: texts(bytes) };
  return fail(name, `weights of type ${shown(dtype)} need a scale`);
}

function unquantized(
  name: string,
  dims: readonly number[],
  dtype: string,
  { dtype: stored, scale, min }: NonNullable<WeightSpec['quantization']>,
  buffer: ArrayBuffer,
): TensorValue {
  if (stored === 'float16')
    return { type: 'float32', dims, data: Float32Array.from(new Uint16Array(buffer), fromFloat16) };
  if (typeof scale !== 'number' || typeof min !== 'number')
    return fail(name, `scale and min are missing for the quantized type ${stored}`);
  const steps = stored === 'uint8' ? new Uint8Array(buffer) : new Uint16Array(buffer);
  if (dtype === 'int32')
    return { type: 'int32', dims, data: Int32Array.from(steps, (step) => Math.round(step * scale + min)) };
  return { type: 'float32', dims, data: Float32Array.from(steps, (step) => step * scale + min) };
}

/** Yields strings, each preceded by its length in 4 bytes. */
function* spans(bytes: Uint8Array, begin = 0): Generator<Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = begin; at + 4 <= bytes.length; ) {
    const length = view.getUint32(at, true);
    yield bytes.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
}

function textLength({ name, shape }: WeightSpec, bytes: Uint8Array, offset: number): number {
  let [length, left] = [0, elementCount(shape)];
  if (left > 0)
    for (const span of spans(bytes, offset)) {
      length += 4 + span.length;
      if (--left === 0) break;
    }
  return left > 0 ? fail(name, `the strings extend beyond the weight files, which have ${bytes.length} bytes`) : length;
}

const texts = (bytes: Uint8Array): string[] => Array.from(spans(bytes), (span) => new TextDecoder().decode(span));
