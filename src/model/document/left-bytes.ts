/** Reads bytes `begin` to `end` of what was left where it lies. */
export type ReadRange = (begin: number, end: number) => Uint8Array | Promise<Uint8Array>;

/** A file of which any range can be read. */
export interface LeftFile {
  readonly size: number;
  readonly range: ReadRange;
}

/** What is copied at once. */
const CHUNK = 2 ** 24;

/**
 * Raw data that stay where they are, in a file or another store, until they are asked for. It stands in a message as the
 * bytes would, and goes along where the message is copied; as an array it is empty.
 */
export class LeftBytes extends Uint8Array<ArrayBuffer> {
  constructor(
    readonly size: number,
    readonly range: ReadRange,
  ) {
    super(new ArrayBuffer(0));
  }
}

/** What is computed when it is asked for, each time anew: nobody compares it with others. */
export class MadeBytes extends LeftBytes {}

export const sizeOf = (bytes: Uint8Array): number => (bytes instanceof LeftBytes ? bytes.size : bytes.length);

export const allOf = (bytes: Uint8Array): Uint8Array | Promise<Uint8Array> =>
  bytes instanceof LeftBytes ? bytes.range(0, bytes.size) : bytes;

/** All of it, piece by piece. */
export async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (!(bytes instanceof LeftBytes)) yield bytes;
  else
    for (let begin = 0; begin < bytes.size; begin += CHUNK)
      yield await bytes.range(begin, Math.min(begin + CHUNK, bytes.size));
}

/** Bytes of a file, which are there. */
export const rangeOf = ({ range }: LeftFile, offset: number, length: number): LeftBytes =>
  new LeftBytes(length, (begin, end) => range(offset + begin, offset + end));

export const fileOf = (bytes: Uint8Array): LeftFile =>
  bytes instanceof LeftBytes ? bytes : { size: bytes.length, range: (begin, end) => bytes.subarray(begin, end) };
