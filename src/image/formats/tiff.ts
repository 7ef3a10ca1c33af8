import { decode } from 'tiff';
import type { Picture } from '../picture.js';

const WHITE_IS_ZERO = 0;
const PALETTE = 3;
const YCBCR = 6;

/** Decodes the first page. */
export function decodeTiff(bytes: Uint8Array): Picture {
  const [page] = decode(bytes, { pages: [0] });
  if (!page) throw new Error('it has no page');
  const { width, height, data, palette } = page;
  if (page.sampleFormat !== 1) throw new Error('samples that are not whole numbers are not supported');
  if (page.type === YCBCR) throw new Error('YCbCr is not supported');
  if (page.type === PALETTE && palette) {
    const samples = Array.from(data, (index) => palette[index] ?? [0, 0, 0]).flat();
    return { width, height, channels: 3, samples, white: 65535 };
  }
  const white = 2 ** page.bitsPerSample - 1;
  const levels = page.type === WHITE_IS_ZERO ? Array.from(data, (level) => white - level) : data;
  return { width, height, channels: page.samplesPerPixel, samples: levels, white };
}
