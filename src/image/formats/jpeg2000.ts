import { onDemand } from '../../base/on-demand.js';
import type { Decode } from '../picture.js';
import { checkCodestream, codestreamOf } from './jpeg2000-codestream.js';

/** Bytes with those methods of Node's Buffer that the decoder uses. */
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

export async function loadJpeg2000(): Promise<Decode> {
  const { default: jpeg2000 } = await onDemand('jpeg2000', () => import('jpeg2000'));
  return (bytes) => {
    const codestream = codestreamOf(bytes);
    checkCodestream(codestream);
    const image = new jpeg2000.JpxImage();
    image.parse(new BigEndianBytes(codestream));
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
