import type { Decode } from './picture.js';

/** The decoder reads by the methods of Node's Buffer. */
class BigEndianBytes extends Uint8Array {
  readonly #view = new DataView(this.buffer, this.byteOffset, this.byteLength);
  readInt8(at: number): number {
    return this.#view.getInt8(at);
  }
  readUInt16BE(at: number): number {
    return this.#view.getUint16(at);
  }
  readUInt32BE(at: number): number {
    return this.#view.getUint32(at);
  }
}

const MAX_SAMPLES = 2 ** 26;

/** The decoder trusts what it reads: the codestream must be whole and its SIZ segment name a size that memory holds. */
function checkCodestream(bytes: Uint8Array): void {
  const at = bytes.findIndex((_, i) => [0xff, 0x4f, 0xff, 0x51].every((byte, k) => bytes[i + k] === byte));
  if (at < 0 || at + 42 > bytes.length) throw new Error('it has no codestream');
  if (!bytes.some((byte, i) => i > at && byte === 0xff && bytes[i + 1] === 0xd9)) throw new Error('it ends early');
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 42);
  const [right, bottom, left, top] = [8, 12, 16, 20].map((offset) => view.getUint32(offset)) as [
    number,
    number,
    number,
    number,
  ];
  const samples = (right - left) * (bottom - top) * view.getUint16(40);
  if (!(right > left && bottom > top && samples <= MAX_SAMPLES))
    throw new Error(`${right - left} by ${bottom - top} pixels are too many or none`);
}

export async function loadJpeg2000(): Promise<Decode> {
  const { default: jpeg2000 } = await import('jpeg2000');
  return (bytes) => {
    checkCodestream(bytes);
    const image = new jpeg2000.JpxImage();
    image.parse(new BigEndianBytes(bytes));
    const { width, height, componentsCount: channels } = image;
    const samples = new Uint8Array(width * height * channels);
    for (const tile of image.tiles)
      for (let y = 0; y < tile.height; y++) {
        const row = tile.items.subarray(y * tile.width * channels, (y + 1) * tile.width * channels);
        samples.set(row, ((tile.top + y) * width + tile.left) * channels);
      }
    return { width, height, channels, samples };
  };
}
