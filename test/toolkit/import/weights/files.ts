import { readFileSync } from 'node:fs';
import type { TensorProto } from '../../../../build/onnx.js';
import { allOf } from '../../../../src/model/document/left-bytes.js';
import type { Model } from '../../../../src/tools/index.js';
import { rawDataOf } from '../../../../src/tools/tensor-data.js';

/** What witness.py has written: a tensor, its dims and bytes. */
export interface Recorded {
  readonly dims: readonly number[];
  readonly data: string;
}

export interface RecordedFile {
  readonly file: string;
  readonly tensors: Readonly<Record<string, Recorded>>;
}

export const bytesOf = (text: string): Uint8Array => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

export const floatsOf = (text: string): Float32Array => new Float32Array(bytesOf(text).buffer);

export const files = JSON.parse(readFileSync(new URL('files.json', import.meta.url), 'utf8')) as {
  readonly safetensors: RecordedFile;
  readonly gguf: RecordedFile;
  readonly peft: {
    readonly file: string;
    readonly config: object;
    readonly before: Readonly<Record<string, Recorded>>;
    readonly after: Readonly<Record<string, Recorded>>;
  };
};

export const initializer = ({ proto }: Model, name: string): TensorProto =>
  proto.graph?.initializer.find((tensor) => tensor.name === name) as TensorProto;

/** The bytes of a weight, wherever they lie; a copy, so that arrays can be made of them. */
export const weightIn = async (model: Model, name: string): Promise<Uint8Array> =>
  Uint8Array.from(await allOf(await rawDataOf(initializer(model, name), model)));

export const floatsIn = async (model: Model, name: string): Promise<Float32Array> =>
  new Float32Array((await weightIn(model, name)).buffer);

/** A safetensors file, written down by its definition. */
export function safetensorsOf(
  tensors: Readonly<Record<string, { dtype: string; shape: readonly number[]; data: ArrayBufferView }>>,
): Uint8Array {
  let end = 0;
  const entries = Object.entries(tensors).map(([name, { dtype, shape, data }]) => {
    const begin = end;
    end += data.byteLength;
    return [name, { dtype, shape, data_offsets: [begin, end] }];
  });
  const header = new TextEncoder().encode(JSON.stringify(Object.fromEntries(entries)));
  const file = new Uint8Array(8 + header.length + end);
  new DataView(file.buffer).setBigUint64(0, BigInt(header.length), true);
  file.set(header, 8);
  let at = 8 + header.length;
  for (const { data } of Object.values(tensors)) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return file;
}
