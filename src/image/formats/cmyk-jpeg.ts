import decode from 'jpeg-js/lib/decoder.js';
import type { Picture } from '../picture.js';

export function decodeCmykJpeg(bytes: Uint8Array): Picture {
  const { width, height, data } = decode(bytes, { useTArray: true, formatAsRGBA: false });
  return { width, height, channels: 3, samples: data };
}
