/** Collects bytes that arrive in parts, in one array that doubles its size. */
export class GrowingBytes {
  #bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  constructor(private readonly capacity = 256) {
    this.#bytes = new Uint8Array(capacity);
  }

  /** A view on the current bytes. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  push(part: Uint8Array): void {
    const end = this.length + part.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, 2 * this.#bytes.length));
      larger.set(this.bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(part, this.length);
    this.length = end;
  }

  /** Returns the bytes, and starts over. */
  take(): Uint8Array<ArrayBuffer> {
    const { bytes } = this;
    this.#bytes = new Uint8Array(this.capacity);
    this.length = 0;
    return bytes;
  }
}
