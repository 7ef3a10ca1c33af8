import decode from 'jpeg-js/lib/decoder.js';
import type { Picture } from '../picture.js';

/**
 * Decodes CMYK JPEGs by jpeg-js, because libjpeg-turbo does not convert them. For other JPEGs it is too inaccurate: with subsampled colors,
 * its samples differ by 40 and more from libjpeg's, which ONNX's ImageDecoder requires.
 */
export function decodeCmykJpeg(bytes: Uint8Array): Picture {
  const { width, height, data } = decode(bytes, { useTArray: true, formatAsRGBA: false });
  return { width, height, channels: 3, samples: data };
}
