import { jpegFrame } from './jpeg-frame.js';
import { codestreamOf } from './jpeg2000-codestream.js';

/** Reads the size in a file's header; undefined if it is truncated or unsupported. */
type SizeOf = (bytes: DataView) => readonly [width: number, height: number] | undefined;

interface Work {
  readonly sizeOf: SizeOf;
  /** The largest memory of a decoder per pixel, with its result: samples as read, unpacked, and in 8 bits. */
  readonly bytesPerPixel: number;
}

const jpeg: SizeOf = (bytes) => {
  const frame = jpegFrame(bytes);
  return frame && [frame.width, frame.height];
};

/** The size of a WebP image: https://developers.google.com/speed/webp/docs/riff_container */
const webp: SizeOf = (bytes) => {
  const kind = bytes.getUint32(12);
  if (kind === 0x56503820) return [bytes.getUint16(26, true) & 0x3fff, bytes.getUint16(28, true) & 0x3fff];
  const bits = bytes.getUint32(21, true);
  if (kind === 0x5650384c) return [(bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1];
  return [1 + (bytes.getUint32(24, true) & 0xffffff), 1 + (bytes.getUint32(26, true) >>> 8)];
};

const jpeg2000: SizeOf = ({ buffer, byteOffset, byteLength }) => {
  const { buffer: whole, byteOffset: start } = codestreamOf(new Uint8Array(buffer, byteOffset, byteLength));
  const stream = new DataView(whole, start);
  return [stream.getUint32(8) - stream.getUint32(16), stream.getUint32(12) - stream.getUint32(20)];
};

const bmp: SizeOf = (bytes) =>
  bytes.getUint32(14, true) === 12
    ? [bytes.getUint16(18, true), bytes.getUint16(20, true)]
    : [bytes.getInt32(18, true), Math.abs(bytes.getInt32(22, true))];

const [WIDTH, HEIGHT, SHORT] = [256, 257, 3];

/** The size in the first directory of a TIFF file. */
const tiff: SizeOf = (bytes) => {
  const little = bytes.getUint8(0) === 0x49;
  const directory = bytes.getUint32(4, little);
  const values = new Map<number, number>();
  for (let i = 0; i < bytes.getUint16(directory, little); i++) {
    const at = directory + 2 + 12 * i;
    const isShort = bytes.getUint16(at + 2, little) === SHORT;
    values.set(
      bytes.getUint16(at, little),
      isShort ? bytes.getUint16(at + 8, little) : bytes.getUint32(at + 8, little),
    );
  }
  return [values.get(WIDTH) ?? 0, values.get(HEIGHT) ?? 0];
};

const LONGEST_HEADER = 4096;

const pnm: SizeOf = ({ buffer, byteOffset, byteLength }) => {
  const head = new Uint8Array(buffer, byteOffset, Math.min(byteLength, LONGEST_HEADER));
  const text = String.fromCharCode(...head).replace(/#[^\n]*/g, ' ');
  const [, width, height] = /^P\d\s*(\d+)\s+(\d+)/.exec(text) ?? [];
  return [Number(width ?? 0), Number(height ?? 0)];
};

/** By format name, as in decoders.ts. */
const WORK: Readonly<Record<string, Work>> = {
  BMP: { sizeOf: bmp, bytesPerPixel: 12 },
  JPEG: { sizeOf: jpeg, bytesPerPixel: 24 },
  'CMYK JPEG': { sizeOf: jpeg, bytesPerPixel: 48 },
  'JPEG 2000': { sizeOf: jpeg2000, bytesPerPixel: 64 },
  TIFF: { sizeOf: tiff, bytesPerPixel: 128 },
  PNG: { sizeOf: (bytes) => [bytes.getUint32(16), bytes.getUint32(20)], bytesPerPixel: 32 },
  WebP: { sizeOf: webp, bytesPerPixel: 16 },
  PNM: { sizeOf: pnm, bytesPerPixel: 32 },
};

/** Estimates the memory for decoding an image, from its header; 0 if unknown. */
export function decodingBytes(format: string, bytes: Uint8Array): number {
  const { sizeOf, bytesPerPixel } = WORK[format] as Work;
  try {
    const [width, height] = sizeOf(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)) ?? [0, 0];
    return bytesPerPixel * width * height;
  } catch {
    return 0;
  }
}
