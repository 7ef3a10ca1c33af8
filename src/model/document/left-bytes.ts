/** Returns a buffer of this number of bytes with undefined contents. */
export type Take = (size: number) => Uint8Array;

export const newBytes: Take = (size) => new Uint8Array(size);

/** Reads bytes `begin` to `end` of what was left where it lies; where that takes memory, it may be from `take`. */
export type ReadRange = (begin: number, end: number, take?: Take) => Uint8Array | Promise<Uint8Array>;

/** A file that can be read in ranges. */
export interface LeftFile {
  readonly size: number;
  readonly range: ReadRange;
  /** The same, read while others compute, where the engine can do that. */
  readonly ahead?: ReadRange | undefined;
}

/** The number of bytes that are copied at once. */
const CHUNK = 2 ** 24;

/**
 * Raw data that stay where they are, in a file or another store, until they are asked for. It stands in a message as the
 * bytes would, and goes along where the message is copied; as an array it is empty.
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

/** What is computed when it is asked for, each time anew: nobody compares it with others. */
export class MadeBytes extends LeftBytes {}

export const sizeOf = (bytes: Uint8Array): number => (bytes instanceof LeftBytes ? bytes.size : bytes.length);

export const allOf = (bytes: Uint8Array): Uint8Array | Promise<Uint8Array> =>
  bytes instanceof LeftBytes ? bytes.range(0, bytes.size) : bytes;

/**
 * Room that is there until `count` more have been taken. Memory that is new, the system hands out page by page: reading a file
 * into that has taken three to thirty times as long.
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

/** All of it, piece by piece; the next is being read while one is looked at. */
export function piecesOf(bytes: Uint8Array, take: Take): AsyncIterable<Uint8Array> | readonly Uint8Array[] {
  if (!(bytes instanceof LeftBytes)) return [bytes];
  const starts = Array.from({ length: Math.ceil(bytes.size / CHUNK) }, (_, i) => i * CHUNK);
  return oneAhead(starts, (begin) => aheadIn(bytes, begin, Math.min(begin + CHUNK, bytes.size), take));
}

/** Bytes that are wanted soon. */
export const aheadIn = ({ range, ahead = range }: LeftFile, begin: number, end: number, take?: Take) =>
  ahead(begin, end, take);

/** What `read` gives for one item after the other; the next is being read while one is looked at, and none once all is over. */
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

/** Bytes of a file, which are there. */
export function rangeOf({ range, ahead }: LeftFile, offset: number, length: number): LeftBytes {
  const within =
    (read: ReadRange): ReadRange =>
    (begin, end, take) =>
      read(offset + begin, offset + end, take);
  return new LeftBytes(length, within(range), ahead && within(ahead));
}

export const fileOf = (bytes: Uint8Array): LeftFile =>
  bytes instanceof LeftBytes ? bytes : { size: bytes.length, range: (begin, end) => bytes.subarray(begin, end) };
