/** Returns a buffer of this number of bytes with undefined contents. */
export type Take = (size: number) => Uint8Array;

export const newBytes: Take = (size) => new Uint8Array(size);

/** Reads bytes `begin` to `end`. If this needs memory, it may come from `take`. */
export type ReadRange = (begin: number, end: number, take?: Take) => Uint8Array | Promise<Uint8Array>;

/** A file that can be read in ranges. */
export interface LeftFile {
  readonly size: number;
  readonly range: ReadRange;
  /** The same, but reads in the background if the engine supports that. */
  readonly ahead?: ReadRange | undefined;
}

/** The number of bytes that are copied at once. */
const CHUNK = 2 ** 24;

/**
 * Raw data that stay in a file or another store until they are read. The object takes the place of the bytes in a message, also in copies;
 * as an array it is empty.
 */
export class LeftBytes extends Uint8Array<ArrayBuffer> {
  constructor(
    readonly size: number,
    readonly range: ReadRange,
    readonly ahead?: ReadRange,
  ) {
    super(new ArrayBuffer(0));
  }
}

/** Bytes that are computed on each access, and are never compared. */
export class MadeBytes extends LeftBytes {}

export const sizeOf = (bytes: Uint8Array): number => (bytes instanceof LeftBytes ? bytes.size : bytes.length);

export const allOf = (bytes: Uint8Array): Uint8Array | Promise<Uint8Array> =>
  bytes instanceof LeftBytes ? bytes.range(0, bytes.size) : bytes;

/**
 * Returns buffers that are reused after `count` further calls. The system allocates new memory page by page: reads into it took three to
 * thirty times as long.
 */
export function takingTurns(count: number): Take {
  const rooms: Uint8Array<ArrayBuffer>[] = [];
  let taken = 0;
  return (size) => {
    const turn = taken++ % count;
    if ((rooms[turn]?.length ?? -1) < size) rooms[turn] = new Uint8Array(size);
    return (rooms[turn] as Uint8Array<ArrayBuffer>).subarray(0, size);
  };
}

/** All bytes, piece by piece; reads the next piece while the caller uses one. */
export function piecesOf(bytes: Uint8Array, take: Take): AsyncIterable<Uint8Array> | readonly Uint8Array[] {
  if (!(bytes instanceof LeftBytes)) return [bytes];
  const starts = Array.from({ length: Math.ceil(bytes.size / CHUNK) }, (_, i) => i * CHUNK);
  return oneAhead(starts, (begin) => aheadIn(bytes, begin, Math.min(begin + CHUNK, bytes.size), take));
}

/** Reads bytes ahead of their use. */
export const aheadIn = ({ range, ahead = range }: LeftFile, begin: number, end: number, take?: Take) =>
  ahead(begin, end, take);

/** Yields the results of `read` for one item after the other, reading one ahead. Stops reading when the consumer stops. */
export async function* oneAhead<T, R>(items: readonly T[], read: (item: T) => R | Promise<R>): AsyncGenerator<R> {
  const begun = (item: T): Promise<R> => {
    const found = (async () => read(item))();
    found.catch(() => {});
    return found;
  };
  let next = items.length > 0 ? begun(items[0] as T) : undefined;
  try {
    for (let i = 1; next; i++) {
      const found = await next;
      next = i < items.length ? begun(items[i] as T) : undefined;
      yield found;
    }
  } finally {
    await next?.catch(() => {});
  }
}

/** A range of a file; it must exist. */
export function rangeOf({ range, ahead }: LeftFile, offset: number, length: number): LeftBytes {
  const within =
    (read: ReadRange): ReadRange =>
    (begin, end, take) =>
      read(offset + begin, offset + end, take);
  return new LeftBytes(length, within(range), ahead && within(ahead));
}

export const fileOf = (bytes: Uint8Array): LeftFile =>
  bytes instanceof LeftBytes ? bytes : { size: bytes.length, range: (begin, end) => bytes.subarray(begin, end) };
