import { SardonyxError } from '../errors.js';
import { readBytes } from './read-file.js';

/** Pixels in rows, channels together: RGB or grey, 0 … 1. */
export interface Image {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly pixels: Float32Array;
}

export const isImageFile = (path: string): boolean => /\.(png|jpe?g)$/i.test(path);

/** Reads a PNG or JPEG file; transparency is dropped. The decoders are loaded when first needed. */
export async function decodeImage(path: string): Promise<Image> {
  const bytes = readBytes(path);
  try {
    return /\.png$/i.test(path) ? await decodePng(bytes) : await decodeJpeg(bytes);
  } catch (cause) {
    throw new SardonyxError('INVALID_VALUE', `${path}: ${(cause as Error).message}`, {}, { cause });
  }
}

async function decodePng(bytes: Uint8Array): Promise<Image> {
  const { convertIndexedToRgb, decode } = await import('fast-png');
  const png = decode(bytes);
  const { width, height, depth, channels } = png;
  if (png.palette) return toImage(width, height, png.palette[0]?.length ?? 3, convertIndexedToRgb(png), 255);
  const samples = depth < 8 ? unpackBits(png.data, width, height, depth) : png.data;
  return toImage(width, height, channels, samples, 2 ** depth - 1);
}

async function decodeJpeg(bytes: Uint8Array): Promise<Image> {
  const { default: jpeg } = await import('jpeg-js');
  const { width, height, data } = jpeg.decode(bytes, { useTArray: true, formatAsRGBA: false });
  return toImage(width, height, 3, data, 255);
}

/** Grey samples of fewer than 8 bits, high bits first; every row starts with a new byte. */
function unpackBits(rows: ArrayLike<number>, width: number, height: number, depth: number): Uint8Array {
  const samples = new Uint8Array(width * height);
  const rowBytes = Math.ceil((width * depth) / 8);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const byte = rows[y * rowBytes + (bit >> 3)] as number;
      samples[y * width + x] = (byte >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
    }
  }
  return samples;
}

/** Keeps the colour channels of samples 0 … `white`. */
function toImage(
  width: number,
  height: number,
  sampleChannels: number,
  samples: ArrayLike<number>,
  white: number,
): Image {
  const channels = sampleChannels >= 3 ? 3 : 1;
  const pixels = new Float32Array(width * height * channels);
  for (let p = 0; p < width * height; p++) {
    for (let c = 0; c < channels; c++) pixels[p * channels + c] = (samples[p * sampleChannels + c] as number) / white;
  }
  return { width, height, channels, pixels };
}
