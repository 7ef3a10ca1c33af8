import { crc32c, masked } from '../../../../src/log/checksum.js';

/** The framing of records in a file. */
export interface Framing {
  /** The number of bytes before and after the data. */
  readonly head: number;
  readonly tail: number;
  /** Whether the length of the next record can be trusted. */
  readonly isHead: (head: Uint8Array) => boolean;
  readonly isData: (data: Uint8Array, tail: Uint8Array) => boolean;
}

const checksumAt = (bytes: Uint8Array, at: number) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(at, true);

export const TFEVENTS: Framing = {
  head: 12,
  tail: 4,
  isHead: (head) => masked(crc32c(head.subarray(0, 8))) === checksumAt(head, 8),
  isData: (data, tail) => masked(crc32c(data)) === checksumAt(tail, 0),
};

/** VisualDL's files have no checksums. */
export const VDLRECORDS: Framing = { head: 8, tail: 0, isHead: () => true, isData: () => true };

/** The records in the first bytes of a file. */
export interface Stretch {
  /** Views on the bytes. */
  readonly records: readonly Uint8Array[];
  /** The bytes taken by these and by damaged records. */
  readonly consumed: number;
  /** The number of records with a wrong checksum. */
  readonly damaged: number;
  /** The number of bytes that the next record takes, as far as known. */
  readonly needed: number;
  /** Whether the length of a record is damaged, so that nothing after it can be read. */
  readonly isBroken: boolean;
}

export function recordsIn(bytes: Uint8Array, { head, tail, isHead, isData }: Framing): Stretch {
  const records: Uint8Array[] = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [consumed, damaged] = [0, 0];
  while (consumed + head <= bytes.length) {
    if (!isHead(bytes.subarray(consumed, consumed + head)))
      return { records, consumed, damaged, needed: head, isBroken: true };
    const length = Number(view.getBigUint64(consumed, true));
    const needed = head + length + tail;
    if (consumed + needed > bytes.length) return { records, consumed, damaged, needed, isBroken: false };
    const end = consumed + head + length;
    const data = bytes.subarray(consumed + head, end);
    if (isData(data, bytes.subarray(end, end + tail))) records.push(data);
    else damaged++;
    consumed += needed;
  }
  return { records, consumed, damaged, needed: head, isBroken: false };
}
