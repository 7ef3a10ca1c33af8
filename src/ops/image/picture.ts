/** A decoded image: 8-bit samples by row, the channels of a pixel together: grey, grey and alpha, RGB or RGBA. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly samples: ArrayLike<number>;
}

/** Throws where the bytes are no image of its format. */
export type Decode = (bytes: Uint8Array) => Picture;

/** ITU-R BT.601 in 16-bit fixed point, as in libjpeg and Pillow. */
const luma = (r: number, g: number, b: number) => (19595 * r + 38470 * g + 7471 * b + 0x8000) >> 16;

type Write = (target: Uint8Array, at: number, r: number, g: number, b: number) => void;

/** How a pixel is stored; alpha is dropped. */
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

export function pixelsOf({ width, height, channels, samples }: Picture, format: string): Uint8Array {
  const { channels: stored, write } = PIXEL_FORMATS[format] as (typeof PIXEL_FORMATS)[string];
  const pixels = new Uint8Array(width * height * stored);
  const [green, blue] = channels >= 3 ? [1, 2] : [0, 0];
  for (let p = 0; p < width * height; p++) {
    const at = p * channels;
    write(pixels, p * stored, samples[at] as number, samples[at + green] as number, samples[at + blue] as number);
  }
  return pixels;
}

/** Samples 0 … `white` as 8 bits; of 16 bits the upper 8, as in libpng and libtiff. */
export function to8Bits(samples: ArrayLike<number>, white: number): ArrayLike<number> {
  if (white === 255) return samples;
  return Uint8Array.from(samples, (sample) => (white === 65535 ? sample >> 8 : Math.round((sample * 255) / white)));
}

/** Samples of 1, 2, 4 or 8 bits, high bits first; every row starts with a new byte. */
export function unpackRows(rows: ArrayLike<number>, width: number, height: number, bits: number): Uint8Array {
  const rowBytes = Math.ceil((width * bits) / 8);
  const samples = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = rows[y * rowBytes + ((x * bits) >> 3)] as number;
      samples[y * width + x] = (byte >> (8 - bits - ((x * bits) & 7))) & (2 ** bits - 1);
    }
  }
  return samples;
}
