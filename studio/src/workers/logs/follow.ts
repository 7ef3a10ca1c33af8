import { type Framing, recordsIn } from './records.js';

/** How far a file has been read. */
export interface Place {
  readonly offset: number;
  readonly damaged: number;
  /** Whether the next record's length is invalid, so that nothing after it can be read. */
  readonly isBroken: boolean;
}

export const BEGINNING: Place = { offset: 0, damaged: 0, isBroken: false };

/** The number of bytes read at a time, unless a record is larger. */
const STRETCH = 1 << 22;

/**
 * Continues reading a file that may have grown, record by record; an incomplete record is left for the next time. Never holds more
 * bytes than a stretch and the largest record, however large the file claims to be.
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
