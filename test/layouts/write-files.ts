import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Model } from '../../src/graph/graph.js';
import type { FilePlace } from '../../src/model/write-attributes.js';
import { writeModel } from '../../src/model/write-model.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';

export interface WriteFilesOptions {
  /** Constants of so many bytes or more lie in files beside the model; left out: none do. */
  readonly externalFrom?: number;
  /** The most bytes of such a file, unless it holds one constant alone. */
  readonly chunk?: number;
}

/** Writes model.onnx, and model.onnx_data, model.onnx_data_1 … with its larger constants. */
export function writeFiles(path: string, model: Model, options: WriteFilesOptions = {}): void {
  const { externalFrom = Number.POSITIVE_INFINITY, chunk = 500e6 } = options;
  mkdirSync(dirname(path), { recursive: true });
  const chunks = new Chunks(path, chunk);
  const external = (constant: TensorValue): FilePlace | undefined => {
    const { data } = constant;
    return ArrayBuffer.isView(data) && data.byteLength >= externalFrom ? chunks.append(data) : undefined;
  };
  try {
    writeFileSync(path, writeModel(model, { external }));
  } finally {
    chunks.close();
  }
}

class Chunks {
  #file: number | undefined;
  #count = 0;
  #offset = 0;
  #location = '';

  constructor(
    private readonly path: string,
    private readonly most: number,
  ) {}

  append({ buffer, byteOffset, byteLength: length }: ArrayBufferView): FilePlace {
    if (this.#file === undefined || this.#offset + length > this.most) this.#next();
    const offset = this.#offset;
    const bytes = new Uint8Array(buffer, byteOffset, length);
    for (let done = 0; done < length; )
      done += writeSync(this.#file as number, bytes, done, Math.min(length - done, 1 << 28));
    this.#offset += length;
    return { location: this.#location, offset, length };
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #next(): void {
    this.close();
    const path = `${this.path}_data${this.#count > 0 ? `_${this.#count}` : ''}`;
    this.#count++;
    this.#offset = 0;
    this.#location = basename(path);
    this.#file = openSync(path, 'w');
  }
}
