import { type Picture, to8Bits } from '../../../image/picture.js';

/** ITU-R BT.601 in 16-bit fixed point, as in libjpeg and Pillow. */
const luma = (r: number, g: number, b: number) => (19595 * r + 38470 * g + 7471 * b + 0x8000) >> 16;

type Write = (target: Uint8Array, at: number, r: number, g: number, b: number) => void;

/** Pixel formats, with a function that writes a pixel; alpha is dropped. */
export const PIXEL_FORMATS: Readonly<Record<string, { readonly channels: number; readonly write: Write }>> = {
  RGB: {
    channels: 3,
    write(target, at, r, g, b) {
      target[at] = r;
      target[at + 1] = g;
      target[at + 2] = b;
    },
  },
  BGR: {
    channels: 3,
    write(target, at, r, g, b) {
      target[at] = b;
      target[at + 1] = g;
      target[at + 2] = r;
    },
  },
  Grayscale: {
    channels: 1,
    write(target, at, r, g, b) {
      target[at] = luma(r, g, b);
    },
  },
};

export function pixelsOf(picture: Picture, format: string): Uint8Array {
  const { width, height, channels } = picture;
  const samples = to8Bits(picture);
  const { channels: stored, write } = PIXEL_FORMATS[format] as (typeof PIXEL_FORMATS)[string];
  const pixels = new Uint8Array(width * height * stored);
  const [green, blue] = channels >= 3 ? [1, 2] : [0, 0];
  for (let p = 0; p < width * height; p++) {
    const at = p * channels;
    write(pixels, p * stored, samples[at] as number, samples[at + green] as number, samples[at + blue] as number);
  }
  return pixels;
}
