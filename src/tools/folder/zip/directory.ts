import type { LeftFile } from '../../../model/document/left-bytes.js';

/** The directory entry of a file in a zip file. */
export interface ZipEntry {
  readonly path: string;
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  /** The compressed and uncompressed size in bytes. */
  readonly stored: number;
  readonly size: number;
  /** The offset of the local file header. */
  readonly header: number;
}

/** Signatures of records: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3 */
const END = 0x06054b50;
const FAR_LOCATOR = 0x07064b50;
const FAR_END = 0x06064b50;
const ENTRY = 0x02014b50;
const HEADER = 0x04034b50;

const END_BYTES = 22;
const LOCATOR_BYTES = 20;
const FAR_END_BYTES = 56;
const ENTRY_BYTES = 46;
const HEADER_BYTES = 30;
const LONGEST_COMMENT = 0xffff;

/** Marks a 32-bit field whose 64-bit value is in the extra fields. */
const FAR = 0xffffffff;
const FAR_FIELD = 1;

/** A zip file is damaged. */
export class DamagedZip extends Error {}

const refuse = (complaint: string): never => {
  throw new DamagedZip(complaint);
};

/** Reads little-endian numbers of a record. */
class Reader {
  readonly #view: DataView;

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  short = (at: number): number => this.#view.getUint16(at, true);
  word = (at: number): number => this.#view.getUint32(at, true);
  long(at: number): number {
    const number = Number(this.#view.getBigUint64(at, true));
    return Number.isSafeInteger(number) ? number : refuse(`invalid offset or size ${number}`);
  }
}

/**
 * Reads the central directory of a zip file, and nothing else.
 * @throws DamagedZip
 */
export async function directoryOf(file: LeftFile): Promise<ZipEntry[]> {
  const { at, bytes, count } = await directoryIn(file);
  if (at + bytes > file.size) refuse('the zip directory is outside the file, which is probably truncated');
  return entriesIn(await read(file, at, bytes), count);
}

interface Extent {
  readonly at: number;
  readonly bytes: number;
  readonly count: number;
}

async function directoryIn(file: LeftFile): Promise<Extent> {
  const length = Math.min(file.size, LOCATOR_BYTES + END_BYTES + LONGEST_COMMENT);
  const tail = await read(file, file.size - length, length);
  for (let at = length - END_BYTES; at >= 0; at--) {
    if (tail.word(at) !== END || at + END_BYTES + tail.short(at + 20) > length) continue;
    const locator = at - LOCATOR_BYTES;
    const isFar = locator >= 0 && tail.word(locator) === FAR_LOCATOR;
    return isFar
      ? farDirectory(file, tail.long(locator + 8))
      : { at: tail.word(at + 16), bytes: tail.word(at + 12), count: tail.short(at + 10) };
  }
  return refuse('no zip directory at the end of the file');
}

async function farDirectory(file: LeftFile, at: number): Promise<Extent> {
  if (at + FAR_END_BYTES > file.size) refuse('the zip64 directory is outside the file');
  const end = await read(file, at, FAR_END_BYTES);
  if (end.word(0) !== FAR_END) refuse('the zip64 directory is missing');
  return { at: end.long(48), bytes: end.long(40), count: end.long(32) };
}

function entriesIn(directory: Reader, count: number): ZipEntry[] {
  const entries: ZipEntry[] = [];
  const { length } = directory.bytes;
  for (let at = 0; entries.length < count; ) {
    if (at + ENTRY_BYTES > length || directory.word(at) !== ENTRY)
      refuse(`the zip directory has ${entries.length} of ${count} entries`);
    const [name, extra, comment] = [28, 30, 32].map((field) => directory.short(at + field)) as [number, number, number];
    const begin = at + ENTRY_BYTES;
    const end = begin + name + extra + comment;
    if (end > length) refuse(`the zip directory has ${entries.length} of ${count} entries`);
    entries.push(entryAt(directory, at, directory.bytes.subarray(begin, begin + name), begin + name + extra));
    at = end;
  }
  return entries;
}

function entryAt(directory: Reader, at: number, name: Uint8Array, extraEnd: number): ZipEntry {
  const far = farNumbers(directory, at + ENTRY_BYTES + name.length, extraEnd);
  const number = (field: number) => {
    const near = directory.word(at + field);
    return near === FAR ? (far.next().value ?? near) : near;
  };
  const size = number(24);
  const stored = number(20);
  return {
    path: new TextDecoder().decode(name),
    flags: directory.short(at + 8),
    method: directory.short(at + 10),
    crc: directory.word(at + 16),
    size,
    stored,
    header: number(42),
  };
}

/** Yields the 64-bit numbers in the extra fields of an entry. */
function* farNumbers(directory: Reader, begin: number, end: number): Generator<number, undefined> {
  for (let at = begin; at + 4 <= end; at += 4 + directory.short(at + 2)) {
    if (directory.short(at) !== FAR_FIELD) continue;
    const fieldEnd = Math.min(end, at + 4 + directory.short(at + 2));
    for (let place = at + 4; place + 8 <= fieldEnd; place += 8) yield directory.long(place);
  }
  return undefined;
}

/**
 * The offset of a file's data, after the local header with its own name and extra fields.
 * @throws DamagedZip
 */
export async function dataOf(file: LeftFile, { header, stored }: ZipEntry): Promise<number> {
  if (header + HEADER_BYTES > file.size) refuse('the data is outside the zip file');
  const head = await read(file, header, HEADER_BYTES);
  if (head.word(0) !== HEADER) refuse('the local file header is missing');
  const begin = header + HEADER_BYTES + head.short(26) + head.short(28);
  return begin + stored > file.size ? refuse('the data is outside the zip file') : begin;
}

const read = async ({ range }: LeftFile, at: number, length: number): Promise<Reader> =>
  new Reader(await range(at, at + length));
