import { asSardonyxError, SardonyxError } from '../../base/errors.js';
import type { DataSource } from '../../loading/source.js';
import type { LeftFile } from '../../model/document/left-bytes.js';
import type { Folder, Listed } from './folder.js';
import { enclosed } from './of-list.js';
import { contentsOf, DEFLATED, STORED } from './zip/contents.js';
import { DamagedZip, dataOf, directoryOf, type ZipEntry } from './zip/directory.js';

/** A zip file. Parts of a Blob can be used without reading them. */
export interface ZipFile extends LeftFile {
  readonly name: string;
  readonly blob?: Blob | undefined;
}

/**
 * Opens a zip file. Its directory is read now, each file when it is needed.
 * @throws SardonyxError INVALID_VALUE if it is not a zip file or is damaged
 */
export async function folderInZip(zip: ZipFile): Promise<Folder> {
  const entries = await directoryOf(zip).catch((cause) => {
    throw refusal('not a zip file', cause);
  });
  const files = entries.filter(({ path }) => !path.endsWith('/'));
  return enclosed(
    zip.name.replace(/\.zip$/i, ''),
    files.map((entry): Listed => [entry.path, () => open(zip, entry)]),
  );
}

/** The maximum compression ratio of Deflate. */
const MOST_OF_A_BYTE = 1032;
const ENCRYPTED = 1;

async function open(zip: ZipFile, entry: ZipEntry): Promise<DataSource> {
  const { path, method, flags, stored, size } = entry;
  const fail = (cause: unknown) => refusal(`"${path}" in the zip file ${zip.name}`.trimEnd(), cause);
  const refuse = (complaint: string) => {
    throw fail(new DamagedZip(complaint));
  };
  if (flags & ENCRYPTED) refuse('encrypted files are not supported');
  if (method !== STORED && method !== DEFLATED)
    refuse(`unsupported compression method ${method}; expected 0 (stored) or 8 (deflate)`);
  if (method === STORED ? size !== stored : size > stored * MOST_OF_A_BYTE)
    refuse(`${stored} compressed bytes cannot expand to ${size} bytes`);
  const begin = await dataOf(zip, entry).catch((cause) => {
    throw fail(cause);
  });
  if (method === STORED && zip.blob) return zip.blob.slice(begin, begin + stored);
  return wholeOf(zip, entry, begin).catch((cause) => {
    throw fail(cause);
  });
}

async function wholeOf(zip: ZipFile, entry: ZipEntry, begin: number): Promise<Uint8Array> {
  const whole = new Uint8Array(entry.size);
  let at = 0;
  for await (const part of contentsOf(zip, entry, begin)) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** The error for a damaged file, or for contents that do not fit in memory. */
const refusal = (what: string, cause: unknown): SardonyxError =>
  cause instanceof SardonyxError || cause instanceof RangeError
    ? asSardonyxError(cause)
    : new SardonyxError('INVALID_VALUE', `${what}: ${(cause as Error).message}`, {}, { cause });
