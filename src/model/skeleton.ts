import { account } from '../account.js';

/** Reads `length` bytes of a file from `offset` on. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

/** The location that a skeleton uses for the model's own file. */
export const OWN_FILE = '\0own';

/** Raw data shorter than this stay in the skeleton. */
export const MIN_LEFT_BYTES = 4096;

/** Field numbers on the path to the weights: ModelProto.graph, GraphProto.initializer. */
export const GRAPH = 7;
export const INITIALIZER = 5;

/** Fields of TensorProto. */
export const RAW_DATA = 9;
const EXTERNAL_DATA = 13;
const DATA_LOCATION = 14;

/** A request of a skeleton: to read the next bytes (fewer at the file's end), or to skip bytes. */
export type Step = { readonly take: number } | { readonly leave: number };

/** Receives the requested bytes, or nothing for skipped ones. */
export type Skeleton<T = Uint8Array> = Generator<Step, T, Uint8Array>;

/**
 * A model file without the raw data of its larger initializers, which become external data in the file itself. The weights of a large model
 * can then be read one by one, or forwarded as they arrive. Throws Malformed if the file is not a protobuf message.
 * https://protobuf.dev/programming-guides/encoding
 */
export function skeletonOf(size = Number.POSITIVE_INFINITY, cursor: Cursor = cursorAtStart()): Skeleton {
  return message(cursor, size, (field, end) => {
    if (field !== GRAPH) return undefined;
    return message(cursor, end, (inner, innerEnd) => (inner === INITIALIZER ? tensor(cursor, innerEnd) : undefined));
  });
}

/** The skeleton of a file with random access. */
export function readSkeleton(read: ReadAt, size: number, cursor?: Cursor): Uint8Array {
  const skeleton = skeletonOf(size, cursor);
  const file = new FileWindow(read, size);
  let step = skeleton.next();
  while (!step.done)
    step = skeleton.next('take' in step.value ? file.take(step.value.take) : file.skip(step.value.leave));
  return step.value;
}

/** The reading position in a file. */
export interface Cursor {
  offset: number;
  /** The end of the current field of the model; beyond the file's end if it is truncated. */
  reach: number;
}

export const cursorAtStart = (): Cursor => ({ offset: 0, reach: 0 });

/** Copies a message up to `end`. `replace` may provide other contents for a length-delimited field. */
export function* message(
  cursor: Cursor,
  end: number,
  replace: (field: number, end: number) => Skeleton | undefined,
): Skeleton {
  const parts: Uint8Array[] = [];
  while (cursor.offset < end) {
    const rawTag = yield* varintBytes(cursor);
    if (rawTag.length === 0 && end === Number.POSITIVE_INFINITY) return joined(parts);
    const tag = numberIn(rawTag);
    const field = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire !== 2) {
      parts.push(
        rawTag,
        wire === 0 ? yield* varintBytes(cursor) : yield* take(cursor, wire === 1 ? 8 : wire === 5 ? 4 : malformed()),
      );
      continue;
    }
    const length = numberIn(yield* varintBytes(cursor));
    const fieldEnd = cursor.offset + length;
    if (cursor.offset >= cursor.reach) cursor.reach = fieldEnd;
    if (fieldEnd > end) malformed();
    const replaced = replace(field, fieldEnd);
    const contents = replaced ? yield* replaced : yield* take(cursor, length);
    if (contents !== DROPPED) parts.push(rawTag, varint(contents.length), contents);
  }
  return cursor.offset === end ? joined(parts) : malformed();
}

const DROPPED = new Uint8Array();

function* tensor(cursor: Cursor, end: number): Skeleton {
  let left: { offset: number; length: number } | undefined;
  const rest = yield* message(cursor, end, (field, fieldEnd) => {
    const { offset } = cursor;
    const length = fieldEnd - offset;
    if (field !== RAW_DATA || length < MIN_LEFT_BYTES) return undefined;
    left = { offset, length };
    return leave(cursor, length);
  });
  if (!left) return rest;
  const entries = Object.entries({ location: OWN_FILE, offset: `${left.offset}`, length: `${left.length}` });
  const fields = entries.map(([key, value]) =>
    delimited(EXTERNAL_DATA, joined([delimited(1, utf8(key)), delimited(2, utf8(value))])),
  );
  return joined([rest, ...fields, varint(DATA_LOCATION * 8), varint(1)]);
}

export function* leave(cursor: Cursor, length: number): Skeleton {
  cursor.offset += length;
  yield { leave: length };
  return DROPPED;
}

function* take(cursor: Cursor, length: number): Skeleton {
  cursor.offset += length;
  const bytes = yield { take: length };
  // A single byte is in a shared buffer, as for varints.
  return bytes.length === length ? (length === 1 ? bytes.slice() : bytes) : malformed();
}

const ONE: Step = { take: 1 };

/** The bytes of a varint; none at the file's end. */
function* varintBytes(cursor: Cursor): Skeleton {
  const bytes: number[] = [];
  while (bytes.length < 10) {
    const [byte] = yield ONE;
    if (byte === undefined) return bytes.length === 0 ? DROPPED : malformed();
    cursor.offset++;
    bytes.push(byte);
    if (byte < 128) return Uint8Array.from(bytes);
  }
  return malformed();
}

/** A varint as a number, exact for all possible lengths. */
function numberIn(bytes: Uint8Array): number {
  if (bytes.length === 0 || bytes.length > 7) malformed();
  return bytes.reduceRight((value, byte) => value * 128 + (byte % 128), 0);
}

const utf8 = (value: string) => new TextEncoder().encode(value);

const delimited = (field: number, contents: Uint8Array) =>
  joined([varint(field * 8 + 2), varint(contents.length), contents]);

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.of(...bytes, rest);
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The error for bytes that are not a protobuf message. */
export class Malformed extends RangeError {}

function malformed(): never {
  throw new Malformed('not a protobuf message');
}

const WINDOW = 65536;

/** Reads a file forward through a window. */
class FileWindow {
  #offset = 0;
  #start = 0;
  #window: Uint8Array = DROPPED;
  #taken = 0;

  constructor(
    private readonly read: ReadAt,
    private readonly size: number,
  ) {}

  take(length: number): Uint8Array {
    const end = Math.min(this.#offset + length, this.size);
    const at = this.#offset - this.#start;
    const inside = at + (end - this.#offset) <= this.#window.length;
    this.#taken += length;
    account()?.demandAlone(this.#taken, 'the model without its larger tensors');
    if (!inside && length < WINDOW) {
      this.#start = this.#offset;
      this.#window = this.read(this.#offset, Math.min(WINDOW, this.size - this.#offset));
    }
    const from = this.#offset - this.#start;
    const bytes =
      inside || length < WINDOW ? this.#window.slice(from, end - this.#start) : this.read(this.#offset, length);
    this.#offset = end;
    return bytes;
  }

  skip(length: number): Uint8Array {
    this.#offset += length;
    return DROPPED;
  }
}
