import { type Decode, unpackRows } from '../picture.js';
import { decodeBmp } from './bmp.js';
import { loadJpeg2000 } from './jpeg2000.js';
import { decodePnm } from './pnm.js';
import { loadSquoosh } from './squoosh.js';

interface Format {
  readonly name: string;
  /** Whether a file of these first bytes is of this format. */
  readonly test: (bytes: Uint8Array) => boolean;
  /** Loads the decoder. */
  readonly load: () => Promise<Decode>;
}

const begins =
  (...starts: readonly string[]) =>
  (bytes: Uint8Array): boolean =>
    starts.some((start) => [...start].every((c, i) => c === '?' || c.charCodeAt(0) === bytes[i]));

export const FORMATS: readonly Format[] = [
  { name: 'BMP', test: begins('BM'), load: async () => decodeBmp },
  { name: 'JPEG', test: begins('\xff\xd8\xff'), load: loadJpeg },
  { name: 'JPEG 2000', test: begins('\0\0\0\x0cjP  ', '\xff\x4f\xff\x51'), load: loadJpeg2000 },
  { name: 'TIFF', test: begins('II*\0', 'MM\0*'), load: loadTiff },
  { name: 'PNG', test: begins('\x89PNG\r\n\x1a\n'), load: loadPng },
  { name: 'WebP', test: begins('RIFF????WEBP'), load: loadWebp },
  { name: 'PNM', test: begins('P1', 'P2', 'P3', 'P4', 'P5', 'P6'), load: async () => decodePnm },
];

async function loadPng(): Promise<Decode> {
  const { convertIndexedToRgb, decode } = await import('fast-png');
  return (bytes) => {
    const png = decode(bytes);
    const { width, height, depth, channels, palette, data } = png;
    if (palette) return { width, height, channels: palette[0]?.length ?? 3, samples: convertIndexedToRgb(png) };
    const samples = depth < 8 ? unpackRows(data, width, height, depth) : data;
    return { width, height, channels, samples, white: 2 ** depth - 1 };
  };
}

const WHITE_IS_ZERO = 0;
const PALETTE = 3;
const YCBCR = 6;

async function loadTiff(): Promise<Decode> {
  const { decode } = await import('tiff');
  return (bytes) => {
    const [page] = decode(bytes, { pages: [0] });
    if (!page) throw new Error('it has no page');
    const { width, height, data, palette } = page;
    if (page.sampleFormat !== 1) throw new Error('samples that are not whole numbers are not supported');
    if (page.type === YCBCR) throw new Error('YCbCr is not supported');
    if (page.type === PALETTE && palette) {
      const samples = Array.from(data, (index) => palette[index] ?? [0, 0, 0]).flat();
      return { width, height, channels: 3, samples, white: 65535 };
    }
    const white = 2 ** page.bitsPerSample - 1;
    const levels = page.type === WHITE_IS_ZERO ? Array.from(data, (level) => white - level) : data;
    return { width, height, channels: page.samplesPerPixel, samples: levels, white };
  };
}

async function loadJpeg(): Promise<Decode> {
  const { default: factory } = await import('@jsquash/jpeg/codec/dec/mozjpeg_dec.js');
  const decode = await loadSquoosh(factory, 'jpeg');
  return (bytes, upright = false) => decode(bytes, upright);
}

async function loadWebp(): Promise<Decode> {
  const { default: factory } = await import('@jsquash/webp/codec/dec/webp_dec.js');
  const decode = await loadSquoosh(factory, 'webp');
  return (bytes) => decode(bytes);
}
