import type { Picture } from '../picture.js';

const [APP1, START_OF_SCAN] = [0xe1, 0xda];
const ORIENTATION = 0x0112;
const ENTRY_BYTES = 12;

/** Exif orientation, 1 … 8; 1 if a JPEG has none. https://www.cipa.jp/std/documents/e/DC-X008-Translation-2019-E.pdf, 4.6 */
export function orientationOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== START_OF_SCAN; ) {
    const end = at + 2 + view.getUint16(at + 2);
    if (bytes[at + 1] === APP1 && textAt(bytes, at + 4, 6) === 'Exif\0\0' && end <= bytes.length)
      return inDirectory(new DataView(bytes.buffer, bytes.byteOffset + at + 10, end - at - 10));
    at = end;
  }
  return 1;
}

const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/** The orientation in the first directory of a TIFF structure. */
function inDirectory(tiff: DataView): number {
  const isLittle = tiff.byteLength >= 8 && tiff.getUint16(0) === 0x4949;
  const first = tiff.byteLength >= 8 ? tiff.getUint32(4, isLittle) : tiff.byteLength;
  const count = first + 2 <= tiff.byteLength ? tiff.getUint16(first, isLittle) : 0;
  for (let i = 0; i < count; i++) {
    const entry = first + 2 + i * ENTRY_BYTES;
    if (entry + ENTRY_BYTES > tiff.byteLength) break;
    if (tiff.getUint16(entry, isLittle) === ORIENTATION) return tiff.getUint16(entry + 8, isLittle);
  }
  return 1;
}

/** The source of pixel (x, y) for each orientation: mirrored axes, and whether rows and columns are swapped. */
const HELD: Readonly<Record<number, { readonly x: boolean; readonly y: boolean; readonly turned: boolean }>> = {
  2: { x: true, y: false, turned: false },
  3: { x: true, y: true, turned: false },
  4: { x: false, y: true, turned: false },
  5: { x: false, y: false, turned: true },
  6: { x: false, y: true, turned: true },
  7: { x: true, y: true, turned: true },
  8: { x: true, y: false, turned: true },
};

/** Applies the orientation to a picture of 4 channels. */
export function upright(picture: Picture, orientation: number): Picture {
  const held = HELD[orientation];
  if (!held) return picture;
  const [width, height] = held.turned ? [picture.height, picture.width] : [picture.width, picture.height];
  const from = new Uint32Array((picture.samples as Uint8ClampedArray).buffer);
  const to = new Uint32Array(from.length);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [u, v] = held.turned ? [y, x] : [x, y];
      const column = held.x ? picture.width - 1 - u : u;
      const row = held.y ? picture.height - 1 - v : v;
      to[y * width + x] = from[row * picture.width + column] as number;
    }
  return { ...picture, width, height, samples: new Uint8ClampedArray(to.buffer) };
}
