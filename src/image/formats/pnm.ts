import { type Picture, unpackRows } from '../picture.js';

const isSpace = (byte: number | undefined) => byte === 32 || (byte !== undefined && byte >= 9 && byte <= 13);

/** Decodes a portable bitmap, graymap or pixmap, plain or binary. https://netpbm.sourceforge.net/doc/pnm.html */
export function decodePnm(bytes: Uint8Array): Picture {
  const kind = (bytes[1] as number) - 48;
  let at = 2;
  const skip = () => {
    for (; isSpace(bytes[at]) || bytes[at] === 35; at++)
      if (bytes[at] === 35) while (at < bytes.length && bytes[at] !== 10) at++;
  };
  const next = (digits = Number.POSITIVE_INFINITY): number => {
    skip();
    const start = at;
    let value = 0;
    for (; at - start < digits && (bytes[at] ?? 0) >= 48 && (bytes[at] ?? 0) <= 57; at++)
      value = value * 10 + (bytes[at] as number) - 48;
    if (at === start) throw new Error('a number is missing');
    return value;
  };
  const isBitmap = kind === 1 || kind === 4;
  const channels = kind === 3 || kind === 6 ? 3 : 1;
  const [width, height, white] = [next(), next(), isBitmap ? 1 : next()];
  const count = width * height * channels;
  if (!(white >= 1 && white <= 65535) || count > 2 ** 31) throw new Error(`${width} by ${height}, white ${white}`);
  at += kind > 3 ? 1 : 0;
  const wide = white > 255 ? 2 : 1;
  const size = kind === 4 ? Math.ceil(width / 8) * height : kind > 3 ? count * wide : 0;
  if (at + size > bytes.length) throw new Error('it ends early');
  const raw = bytes.subarray(at);
  const samples =
    kind < 4
      ? Float64Array.from({ length: count }, () => next(isBitmap ? 1 : undefined))
      : kind === 4
        ? unpackRows(raw, width, height, 1)
        : wide === 1
          ? raw
          : Float64Array.from({ length: count }, (_, i) => (raw[2 * i] as number) * 256 + (raw[2 * i + 1] as number));
  const levels = isBitmap ? Uint8Array.from(samples, (bit) => 1 - bit) : samples;
  return { width, height, channels, samples: levels, white };
}
