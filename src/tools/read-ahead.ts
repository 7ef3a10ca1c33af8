import { builtin } from '../../bindings/builtin.js';
import { newBytes, type ReadRange } from '../model/document/left-bytes.js';
import type { RangedFile } from '../model/files.js';

/** The size in bytes below which passing a read to another thread takes longer than the read itself. */
const LEAST = 2 ** 18;

type Place = Pick<RangedFile, 'path' | 'mtimeMs'>;

/**
 * Reads ranges of a file in a thread of the engine. After an error, it falls back to `range`, which reports problems.
 */
export function readAhead(place: Place, range: ReadRange): ReadRange {
  return (begin, end, take) =>
    end - begin < LEAST ? range(begin, end) : readApart(place, begin, end, take).catch(() => range(begin, end));
}

async function readApart({ path, mtimeMs }: Place, begin: number, end: number, take = newBytes): Promise<Uint8Array> {
  const { open } = (builtin('fs') as typeof import('node:fs')).promises;
  const file = await open(path, 'r');
  try {
    if ((await file.stat()).mtimeMs !== mtimeMs) throw new Error('changed');
    const bytes = take(end - begin);
    for (let done = 0; done < bytes.length; ) {
      const { bytesRead } = await file.read(bytes, done, bytes.length - done, begin + done);
      if (bytesRead === 0) throw new Error('ended');
      done += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}
