import type { Entry } from '../contracts/log-entries.js';
import { BEGINNING, type Place, readOn } from './follow.js';
import type { Format } from './formats.js';

/** A log file that is being read. */
export interface LogFile {
  readonly path: string;
  readonly format: Format;
  place: Place;
  /** The number of complete records that could not be decoded. */
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

/** Reads new data from the file. If it became shorter, it was replaced: reads it from the start and returns true. */
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

/** Counts records that are not valid messages and continues. */
function readable(file: LogFile, record: Uint8Array): Entry[] {
  try {
    return file.read(record);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    file.unreadable++;
    return [];
  }
}
