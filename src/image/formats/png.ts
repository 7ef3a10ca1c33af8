import { convertIndexedToRgb, decode } from 'fast-png';
import { type Picture, unpackRows } from '../picture.js';

export function decodePng(bytes: Uint8Array): Picture {
  const png = decode(bytes);
  const { width, height, depth, channels, palette, data } = png;
  if (palette) return { width, height, channels: palette[0]?.length ?? 3, samples: convertIndexedToRgb(png) };
  const samples = depth < 8 ? unpackRows(data, width, height, depth) : data;
  return { width, height, channels, samples, white: 2 ** depth - 1 };
}
