import { type Picture, unpackRows } from '../picture.js';

const BITFIELDS = 3;
const ALPHA_BITFIELDS = 6;

/** Extracts the bits of `mask` from a word, scaled to 8 bits. */
function channelOf(mask: number): (word: number) => number {
  if (mask === 0) return () => 0;
  const shift = 31 - Math.clz32(mask & -mask);
  const white = mask >>> shift;
  return (word) => Math.round((((word & mask) >>> shift) * 255) / white);
}

/**
 * Decodes a Windows or OS/2 bitmap without run-length encoding: 1, 4 or 8 bits with a palette, or 16, 24 or 32.
 * https://learn.microsoft.com/windows/win32/gdi/bitmap-storage
 */
export function decodeBmp(bytes: Uint8Array): Picture {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerSize = view.getUint32(14, true);
  const isCore = headerSize === 12;
  const width = isCore ? view.getUint16(18, true) : view.getInt32(18, true);
  const rows = isCore ? view.getInt16(20, true) : view.getInt32(22, true);
  const bits = view.getUint16(isCore ? 24 : 28, true);
  const compression = isCore ? 0 : view.getUint32(30, true);
  const hasMasks = compression === BITFIELDS || compression === ALPHA_BITFIELDS;
  if (compression !== 0 && !hasMasks) throw new Error(`compression ${compression} is not supported`);
  const height = Math.abs(rows);
  const stride = Math.ceil((width * bits) / 32) * 4;
  const start = view.getUint32(10, true);
  if (width < 0 || start + stride * height > bytes.length) throw new Error('it ends early');
  const lines = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const from = start + stride * (rows < 0 ? y : height - 1 - y);
    lines.set(bytes.subarray(from, from + stride), stride * y);
  }
  const samples = new Uint8Array(width * height * 3);
  if (bits <= 8) {
    const palette = 14 + headerSize + (hasMasks ? 12 : 0);
    const entry = isCore ? 3 : 4;
    const indices = unpackRows(lines, (stride * 8) / bits, height, bits);
    eachPixel(width, height, (x, y, at) => {
      const color = palette + entry * (indices[(y * stride * 8) / bits + x] as number);
      for (let c = 0; c < 3; c++) samples[at + c] = bytes[color + 2 - c] as number;
    });
  } else if (bits === 24) {
    eachPixel(width, height, (x, y, at) => {
      for (let c = 0; c < 3; c++) samples[at + c] = lines[y * stride + 3 * x + 2 - c] as number;
    });
  } else if (bits === 16 || bits === 32) {
    const plain = bits === 16 ? [0x7c00, 0x3e0, 0x1f] : [0xff0000, 0xff00, 0xff];
    const masks = plain.map((mask, c) => channelOf(hasMasks ? view.getUint32(54 + 4 * c, true) : mask));
    const words = new DataView(lines.buffer);
    eachPixel(width, height, (x, y, at) => {
      const place = y * stride + (x * bits) / 8;
      const word = bits === 16 ? words.getUint16(place, true) : words.getUint32(place, true);
      for (let c = 0; c < 3; c++) samples[at + c] = (masks[c] as (word: number) => number)(word);
    });
  } else throw new Error(`${bits} bits per pixel are not supported`);
  return { width, height, channels: 3, samples };
}

function eachPixel(width: number, height: number, visit: (x: number, y: number, at: number) => void): void {
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) visit(x, y, (y * width + x) * 3);
}
