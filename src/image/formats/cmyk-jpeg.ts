import decode from 'jpeg-js/lib/decoder.js';
import type { Picture } from '../picture.js';

/**
 * jpeg-js reads JPEGs of four inks, which libjpeg-turbo refuses to mix. It cannot stand in for that: where colors are subsampled, its
 * samples differ by 40 and more from libjpeg's, to which ONNX's ImageDecoder holds.
 */
export function decodeCmykJpeg(bytes: Uint8Array): Picture {
  const { width, height, data } = decode(bytes, { useTArray: true, formatAsRGBA: false });
  return { width, height, channels: 3, samples: data };
}
