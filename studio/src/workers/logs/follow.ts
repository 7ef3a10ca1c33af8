import { type Framing, recordsIn } from './records.js';

/** How far a file has been read. */
export interface Place {
  readonly offset: number;
  readonly damaged: number;
  /** Its next record has a length that cannot be: what follows is never read. */
  readonly isBroken: boolean;
}

export const BEGINNING: Place = { offset: 0, damaged: 0, isBroken: false };

/** Bytes that are read at a time, unless a record takes more. */
const STRETCH = 1 << 22;

/**
 * Reads on in a file that may have grown, record by record; one that is not whole yet is left for the next time. Never more bytes are
 * held than a stretch and the largest record, however much the file says that it has.
 */
export async function readOn(
  file: Blob,
  framing: Framing,
  from: Place,
  take: (record: Uint8Array) => void,
): Promise<Place> {
  let place = from;
  let size = STRETCH;
  while (!place.isBroken && place.offset < file.size) {
    const bytes = new Uint8Array(await file.slice(place.offset, place.offset + size).arrayBuffer());
    const { records, consumed, damaged, needed, isBroken } = recordsIn(bytes, framing);
    for (const record of records) take(record);
    place = { offset: place.offset + consumed, damaged: place.damaged + damaged, isBroken };
    if (place.offset + needed > file.size) return place;
    size = Math.max(STRETCH, needed);
  }
  return place;
}
