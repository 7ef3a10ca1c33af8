import { onDemand } from '../../base/on-demand.js';
import type { Decode } from '../picture.js';
import { decodeBmp } from './bmp.js';
import { loadJpeg } from './jpeg.js';
import { jpegFrame } from './jpeg-frame.js';
import { loadJpeg2000 } from './jpeg2000.js';
import { decodePnm } from './pnm.js';
import { loadWebp } from './webp.js';

interface Format {
  readonly name: string;
  /** Whether a file with these first bytes has this format. */
  readonly test: (bytes: Uint8Array) => boolean;
  /** Loads the decoder. */
  readonly load: () => Promise<Decode>;
}

const begins =
  (...starts: readonly string[]) =>
  (bytes: Uint8Array): boolean =>
    starts.some((start) => [...start].every((c, i) => c === '?' || c.charCodeAt(0) === bytes[i]));

const isJpeg = begins('\xff\xd8\xff');

const isCmykJpeg = (bytes: Uint8Array): boolean =>
  isJpeg(bytes) && jpegFrame(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))?.components === 4;

export const FORMATS: readonly Format[] = [
  { name: 'BMP', test: begins('BM'), load: async () => decodeBmp },
  { name: 'JPEG', test: (bytes) => isJpeg(bytes) && !isCmykJpeg(bytes), load: loadJpeg },
  { name: 'JPEG 2000', test: begins('\0\0\0\x0cjP  ', '\xff\x4f\xff\x51'), load: loadJpeg2000 },
  {
    name: 'TIFF',
    test: begins('II*\0', 'MM\0*'),
    load: async () => (await onDemand('tiff', () => import('./tiff.js'))).decodeTiff,
  },
  {
    name: 'PNG',
    test: begins('\x89PNG\r\n\x1a\n'),
    load: async () => (await onDemand('png', () => import('./png.js'))).decodePng,
  },
  { name: 'WebP', test: begins('RIFF????WEBP'), load: loadWebp },
  { name: 'PNM', test: begins('P1', 'P2', 'P3', 'P4', 'P5', 'P6'), load: async () => decodePnm },
  { name: 'CMYK JPEG', test: isCmykJpeg, load: async () => (await import('./cmyk-jpeg.js')).decodeCmykJpeg },
];
