import { GrowingTensor } from './growing-tensor.js';
import { arrayOf, type StoredType, storedAnew, storedBytes } from './stored-rows.js';
import type { TensorData } from './tensor.js';
import { elementCount, type TensorValue } from './tensor-value.js';

/** Rows in JavaScript memory, stored as another type than the one they are read as. */
export class HostRows extends GrowingTensor {
  readonly stored: StoredType;
  readonly #bytes: Uint8Array;

  constructor(type: TensorValue['type'], dims: readonly number[], stored: StoredType, bytes: Uint8Array) {
    super(type, dims);
    this.stored = stored;
    this.#bytes = bytes;
  }

  override read(): TensorData {
    return arrayOf(this.type, storedAnew(this.#bytes, this.dims, this.stored, this.type));
  }

  protected override kept(): Uint8Array {
    return this.#bytes;
  }

  override first(rows: number): HostRows {
    const [own, dims] = [this.rows(), this.dims.with(-2, rows)];
    const bytes = new Uint8Array(storedBytes(dims, this.type, this.stored));
    const matrices = elementCount(dims.slice(0, -2));
    for (let i = 0; i < matrices; i++) {
      const from = (i * own.length) / matrices;
      bytes.set(own.subarray(from, from + bytes.length / matrices), (i * bytes.length) / matrices);
    }
    return new HostRows(this.type, dims, this.stored, bytes);
  }

  override letGo(): void {}
}
