import { Inflate } from 'fflate';
import type { LeftFile } from '../../../model/document/left-bytes.js';
import { crc32 } from './crc32.js';
import { DamagedZip, type ZipEntry } from './directory.js';

const CHUNK = 2 ** 16;

/** Yields pieces of the stored bytes, and whether each is the last. */
async function* chunks(file: LeftFile, begin: number, end: number): AsyncGenerator<readonly [Uint8Array, boolean]> {
  for (let at = begin; at < end; at += CHUNK) {
    const next = Math.min(at + CHUNK, end);
    yield [await file.range(at, next), next === end];
  }
}

async function* inflated(...range: Parameters<typeof chunks>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  const inflate = new Inflate((part) => parts.push(part));
  for await (const [chunk, isLast] of chunks(...range)) {
    inflate.push(chunk, isLast);
    yield* parts;
    parts = [];
  }
}

/**
 * Yields the contents of a file in pieces. Checks the size and checksum against the directory.
 * @throws DamagedZip
 */
export async function* contentsOf(file: LeftFile, entry: ZipEntry, begin: number): AsyncGenerator<Uint8Array> {
  const end = begin + entry.stored;
  const isDeflated = entry.method === DEFLATED;
  let [size, crc] = [0, 0];
  for await (const part of isDeflated ? inflated(file, begin, end) : plain(file, begin, end)) {
    size += part.length;
    if (size > entry.size)
      throw new DamagedZip(`the file has more than ${entry.size} bytes, the size in the zip directory`);
    crc = crc32(part, crc);
    yield part;
  }
  if (size < entry.size)
    throw new DamagedZip(`the file has ${size} bytes; the size in the zip directory is ${entry.size}`);
  if (crc !== entry.crc) throw new DamagedZip('the checksum does not match');
}

async function* plain(...range: Parameters<typeof chunks>): AsyncGenerator<Uint8Array> {
  for await (const [chunk] of chunks(...range)) yield chunk;
}

export const STORED = 0;
export const DEFLATED = 8;
