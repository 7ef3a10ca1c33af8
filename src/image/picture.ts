/** A decoded image: samples by row, the channels of a pixel interleaved: gray, gray and alpha, RGB or RGBA. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly samples: ArrayLike<number>;
  /** The largest sample; default 255. */
  readonly white?: number;
}

/** Decodes bytes; throws an error if they are not an image of this format. Applies the Exif orientation only if `upright`. */
export type Decode = (bytes: Uint8Array, upright?: boolean) => Picture;

/** Converts samples 0 … `white` to 8 bits; for 16 bits takes the upper 8, as in libpng and libtiff. */
export function to8Bits({ samples, white = 255 }: Picture): ArrayLike<number> {
  if (white === 255) return samples;
  return Uint8Array.from(samples, (sample) => (white === 65535 ? sample >> 8 : Math.round((sample * 255) / white)));
}

/** Unpacks samples of 1, 2, 4 or 8 bits, high bits first; every row starts at a byte. */
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
