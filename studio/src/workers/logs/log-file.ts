import type { Entry } from '../contracts/log-entries.js';
import { BEGINNING, type Place, readOn } from './follow.js';
import type { Format } from './formats.js';

/** A file of a log that is being read. */
export interface LogFile {
  readonly path: string;
  readonly format: Format;
  place: Place;
  /** Records that are whole and say nothing. */
  unreadable: number;
  read: (record: Uint8Array) => Entry[];
}

export const logFile = (path: string, format: Format): LogFile => ({
  path,
  format,
  place: BEGINNING,
  unreadable: 0,
  read: format.reader(),
});

/** Reads what is new in the file; whether it is another one by now, with less in it, which is then read from its beginning. */
export async function readNew(file: LogFile, blob: Blob, take: (entry: Entry) => void): Promise<boolean> {
  const isAnother = blob.size < file.place.offset;
  if (isAnother) {
    file.place = BEGINNING;
    file.unreadable = 0;
    file.read = file.format.reader();
  }
  file.place = await readOn(blob, file.format.framing, file.place, (record) => {
    for (const entry of readable(file, record)) take(entry);
  });
  return isAnother;
}

/** One that is no message is counted, and the next ones are read. */
function readable(file: LogFile, record: Uint8Array): Entry[] {
  try {
    return file.read(record);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    file.unreadable++;
    return [];
  }
}
