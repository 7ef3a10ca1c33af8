import { Decompress, Unzlib } from 'fflate';

/** Called with the uncompressed size of a stream so far; may throw an error. */
export type Count = (bytes: number) => void;

type Counter = (bytes: Uint8Array, count: Count) => void;

/** Compressed bytes per step. They expand by a factor of a thousand at most. */
const PART = 4096;

/** Counts the bytes of one stream; `Kind` is the decompressor. */
function inflate(parts: readonly Uint8Array[], Kind: typeof Unzlib | typeof Decompress, count: Count): void {
  let bytes = 0;
  const stream = new Kind((chunk) => {
    bytes += chunk.length;
  });
  for (const part of parts)
    for (let at = 0; at < part.length; at += PART) {
      stream.push(part.subarray(at, at + PART));
      count(bytes);
    }
}

const [CLEAR, END, FIRST, NARROWEST, WIDEST] = [256, 257, 258, 9, 12];

/** Counts the bytes that LZW codes of a TIFF expand to. */
function expand(bytes: Uint8Array, count: Count): void {
  const lengths = new Uint16Array(1 << (WIDEST + 1)).fill(1, 0, CLEAR);
  let [next, width, last, total, at] = [FIRST, NARROWEST, 0, 0, 0];
  for (; at + width <= 8 * bytes.length; ) {
    const word = ((bytes[at >> 3] as number) << 16) | ((bytes[(at >> 3) + 1] ?? 0) << 8) | (bytes[(at >> 3) + 2] ?? 0);
    const code = (word >> (24 - width - (at & 7))) & ((1 << width) - 1);
    at += width;
    if (code === END) break;
    if (code === CLEAR) {
      [next, width, last] = [FIRST, NARROWEST, 0];
      continue;
    }
    const length = code < next ? (lengths[code] as number) : last + 1;
    if (last > 0 && next < 1 << WIDEST) lengths[next++] = last + 1;
    if (next === (1 << width) - 1 && width < WIDEST) width++;
    last = length;
    total += length;
    count(total);
  }
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The image data are one stream, and a color profile is another. */
const png: Counter = (bytes, count) => {
  const data = view(bytes);
  const image: Uint8Array[] = [];
  for (let at = 8; at + 8 <= bytes.length; ) {
    const [length, type] = [data.getUint32(at), data.getUint32(at + 4)];
    const contents = bytes.subarray(at + 8, at + 8 + length);
    if (type === 0x49444154) image.push(contents);
    if (type === 0x69434350) inflate([contents.subarray(contents.indexOf(0) + 2)], Unzlib, count);
    at += 12 + length;
  }
  inflate(image, Unzlib, count);
};

const [COMPRESSION, LZW, DEFLATE, OLD_DEFLATE] = [259, 5, 8, 32946];
const [OFFSETS, COUNTS] = [
  [273, 324],
  [279, 325],
];
const SUBDIRECTORIES = [0x8769, 0x8825];
const MOST_NESTED = 4;
const BYTES_PER_TYPE = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8];
/** Memory per value in a list of numbers. */
const BYTES_PER_VALUE = 8;

interface Field {
  readonly type: number;
  readonly length: number;
  readonly at: number;
}

function directoryAt(data: DataView, start: number, little: boolean): Map<number, Field> {
  const fields = new Map<number, Field>();
  for (let i = 0; i < data.getUint16(start, little); i++) {
    const entry = start + 2 + 12 * i;
    const [type, length] = [data.getUint16(entry + 2, little), data.getUint32(entry + 4, little)];
    const isInside = length * (BYTES_PER_TYPE[type] ?? 0) <= 4;
    fields.set(data.getUint16(entry, little), {
      type,
      length,
      at: isInside ? entry + 8 : data.getUint32(entry + 8, little),
    });
  }
  return fields;
}

/** Counts strips or tiles one after the other, after the values of all directories. */
const tiff: Counter = (bytes, count) => {
  const data = view(bytes);
  const little = bytes[0] === 0x49;
  let read = 0;
  const numbersIn = ({ type, length, at }: Field): number[] =>
    Array.from({ length }, (_, i) =>
      type === 3 ? data.getUint16(at + 2 * i, little) : data.getUint32(at + 4 * i, little),
    );
  const visit = (start: number, depth: number): Map<number, Field> => {
    if (depth > MOST_NESTED) throw new Error('its directories are nested too deep');
    const fields = directoryAt(data, start, little);
    for (const { type, length } of fields.values()) if (type in BYTES_PER_TYPE) read += BYTES_PER_VALUE * length;
    count(read);
    for (const tag of SUBDIRECTORIES) {
      const field = fields.get(tag);
      if (field) visit(numbersIn({ ...field, length: 1 })[0] as number, depth + 1);
    }
    return fields;
  };
  const fields = visit(data.getUint32(4, little), 0);
  const found = (tags: readonly number[] | undefined) => tags?.map((tag) => fields.get(tag)).find((field) => field);
  const [compression, offsets, counts] = [[COMPRESSION], OFFSETS, COUNTS].map((tags) => {
    const field = found(tags);
    return field ? numbersIn(field) : [];
  }) as [number[], number[], number[]];
  offsets.forEach((offset, i) => {
    const part = bytes.subarray(offset, offset + (counts[i] ?? bytes.length));
    if (compression[0] === LZW) expand(part, count);
    if (compression[0] === DEFLATE || compression[0] === OLD_DEFLATE) inflate([part], Decompress, count);
  });
};

const COUNTERS: Readonly<Record<string, Counter>> = { PNG: png, TIFF: tiff };

/** Counts the uncompressed bytes of a picture without storing them, because a few bytes may expand a thousandfold. */
export const countInflated = (format: string, bytes: Uint8Array, count: Count): void =>
  COUNTERS[format]?.(bytes, count);
