import { joined } from './wire.js';

/**
 * The alignment of all records.
 * https://github.com/apple/coremltools/blob/main/mlmodel/src/MILBlob/Blob/StorageFormat.hpp
 */
const UNIT = 64;
const VERSION = 2;
const SENTINEL = 0xdeadbeef;
const FLOAT32 = 2;

/** Builds the weight file. */
export class BlobFile {
  readonly #parts: Uint8Array[] = [new Uint8Array(UNIT)];
  #end = UNIT;
  #count = 0;

  /**
   * Adds a float32 array.
   * @returns the offset of its header
   */
  add(bytes: Uint8Array): number {
    const offset = this.#end;
    const head = new DataView(new ArrayBuffer(UNIT));
    head.setUint32(0, SENTINEL, true);
    head.setUint32(4, FLOAT32, true);
    head.setBigUint64(8, BigInt(bytes.length), true);
    head.setBigUint64(16, BigInt(offset + UNIT), true);
    this.#parts.push(new Uint8Array(head.buffer), bytes, new Uint8Array((UNIT - (bytes.length % UNIT)) % UNIT));
    this.#end = offset + UNIT + Math.ceil(bytes.length / UNIT) * UNIT;
    this.#count++;
    return offset;
  }

  /** The complete file. */
  get bytes(): Uint8Array {
    const whole = joined(this.#parts);
    const view = new DataView(whole.buffer);
    view.setUint32(0, this.#count, true);
    view.setUint32(4, VERSION, true);
    return whole;
  }
}
