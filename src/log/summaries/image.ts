import { bytes, type Field, integer, message } from '../fields.js';
import { Value, value } from './value.js';

const Image = { height: 1, width: 2, colors: 3, encoded: 4 } as const;

/** An image from a PNG file. */
export function image(tag: string, png: Uint8Array): Field {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  return value(
    tag,
    message(
      Value.image,
      integer(Image.height, height),
      integer(Image.width, width),
      integer(Image.colors, CHANNELS[view.getUint8(25)] ?? 3),
      bytes(Image.encoded, png),
    ),
  );
}

/** Number of channels by PNG's color type; palettes are RGB. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 3, 4: 2, 6: 4 };
