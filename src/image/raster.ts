import { isA } from '../base/kind.js';
import type { Picture } from './picture.js';
import type { Raster } from './resample.js';

/** Red, green, blue, 0 … 255; or `none`, which drops transparency. */
export type Background = readonly [red: number, green: number, blue: number] | 'none';

/** Luma weights of ITU-R BT.601, as in libjpeg and Pillow. */
const LUMA = [0.299, 0.587, 0.114] as const;
const luma = (red: number, green: number, blue: number) => LUMA[0] * red + LUMA[1] * green + LUMA[2] * blue;

const ALPHA = 3;

/** The raster of a picture before scaling. Transparent pixels are blended with the background, unless alpha is kept. */
export function rasterOf(picture: Picture, withAlpha: boolean, background: Background): Raster {
  const { width, height, channels, white = 255 } = picture;
  const samples = typedSamples(picture.samples);
  const hasAlpha = channels === 2 || channels === 4;
  const colors = hasAlpha ? channels - 1 : channels;
  if (!hasAlpha || withAlpha) return { width, height, samples, stride: channels, channels };
  if (background === 'none' || isOpaque(samples, channels, white))
    return { width, height, samples, stride: channels, channels: colors };
  const flat = flattened(samples, channels, white, borderOf(background, colors, white));
  return { width, height, samples: flat, stride: colors, channels: colors };
}

/** The background as `channels` samples 0 … `white`; alpha is opaque. */
export function borderOf(background: Background, channels: number, white: number): readonly number[] {
  const [red, green, blue] = background === 'none' ? [0, 0, 0] : background;
  const colors = channels < 3 ? [luma(red, green, blue)] : [red, green, blue];
  return [...colors, 255].slice(0, channels).map((sample) => (sample * white) / 255);
}

function typedSamples(samples: ArrayLike<number>): Raster['samples'] {
  if (isA(samples, 'Uint8ClampedArray')) return new Uint8Array(samples.buffer, samples.byteOffset, samples.length);
  if (isA(samples, 'Uint8Array') || isA(samples, 'Uint16Array')) return samples;
  return Float32Array.from(samples);
}

function isOpaque(samples: Raster['samples'], channels: number, white: number): boolean {
  for (let i = channels - 1; i < samples.length; i += channels) if (samples[i] !== white) return false;
  return true;
}

function flattened(
  samples: Raster['samples'],
  channels: number,
  white: number,
  background: readonly number[],
): Float32Array {
  const colors = channels - 1;
  const flat = new Float32Array((samples.length / channels) * colors);
  for (let p = 0, at = 0; p < samples.length; p += channels) {
    const alpha = (samples[p + colors] as number) / white;
    for (let c = 0; c < colors; c++)
      flat[at++] = alpha * (samples[p + c] as number) + (1 - alpha) * (background[c] as number);
  }
  return flat;
}

/** One color of every pixel; missing alpha is opaque. */
export function planeOf(pixels: Float32Array, channels: number, color: number, white: number): Float32Array {
  const place = channels < 3 && color < ALPHA ? 0 : channels === 2 ? 1 : color;
  const plane = new Float32Array(pixels.length / channels);
  if (place >= channels) return plane.fill(white);
  for (let i = 0; i < plane.length; i++) plane[i] = pixels[i * channels + place] as number;
  return plane;
}

export function grayOf(pixels: Float32Array, channels: number): Float32Array {
  if (channels < 3) return planeOf(pixels, channels, 0, 0);
  const plane = new Float32Array(pixels.length / channels);
  for (let i = 0, at = 0; i < plane.length; i++, at += channels)
    plane[i] = luma(pixels[at] as number, pixels[at + 1] as number, pixels[at + 2] as number);
  return plane;
}
