/** Reads protobuf messages from tables of their fields: https://protobuf.dev/programming-guides/encoding. */

interface Cursor {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  at: number;
  readonly end: number;
}

type Wire = 0 | 1 | 2 | 5;

/** A field of a message: its initial value, and how to read the next value for each wire type. */
export interface Field<T> {
  readonly id: number;
  readonly empty: () => T;
  readonly read: { readonly [W in Wire]?: (cursor: Cursor, before: T) => T };
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds fields of any type
type Fields = Readonly<Record<string, Field<any>>>;
export type Decoded<F extends Fields> = { [Name in keyof F]: F[Name] extends Field<infer T> ? T : never };
export type Message<T> = (bytes: Uint8Array) => T;

const cursorOf = (bytes: Uint8Array): Cursor => ({
  bytes,
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  at: 0,
  end: bytes.length,
});

/** Advances by `count` bytes and returns where they start. */
function advance(cursor: Cursor, count: number): number {
  const from = cursor.at;
  if (count > cursor.end - from)
    throw new RangeError(`${count} bytes at ${from} go beyond the ${cursor.end} there are`);
  cursor.at = from + count;
  return from;
}

const SAFE_BYTES = 7;

/** A signed 64-bit integer, rounded if beyond 2⁵³. */
function varint(cursor: Cursor): number {
  let value = 0;
  const start = cursor.at;
  for (let scale = 1; cursor.at - start < SAFE_BYTES; scale *= 128) {
    const byte = cursor.bytes[advance(cursor, 1)] as number;
    value += (byte & 127) * scale;
    if (byte < 128) return value;
  }
  return longVarint(cursor, BigInt(value));
}

function longVarint(cursor: Cursor, low: bigint): number {
  let value = low;
  for (let shift = 7 * SAFE_BYTES; shift < 70; shift += 7) {
    const byte = cursor.bytes[advance(cursor, 1)] as number;
    value |= BigInt(byte & 127) << BigInt(shift);
    if (byte < 128) return Number(BigInt.asIntN(64, value));
  }
  throw new RangeError('an integer of more than 64 bits');
}

function payload(cursor: Cursor): Uint8Array {
  const length = varint(cursor);
  if (length < 0) throw new RangeError(`a length of ${length}`);
  const from = advance(cursor, length);
  return cursor.bytes.subarray(from, from + length);
}

const SKIP: { readonly [W in Wire]: (cursor: Cursor) => unknown } = {
  0: varint,
  1: (cursor) => advance(cursor, 8),
  2: payload,
  5: (cursor) => advance(cursor, 4),
};

const double64 = (cursor: Cursor): number => cursor.view.getFloat64(advance(cursor, 8), true);
const float32 = (cursor: Cursor): number => cursor.view.getFloat32(advance(cursor, 4), true);

const utf8 = new TextDecoder();

export const integer = (id: number): Field<number> => ({ id, empty: () => 0, read: { 0: varint } });
export const flag = (id: number): Field<boolean> => ({ id, empty: () => false, read: { 0: (c) => varint(c) !== 0 } });
export const double = (id: number): Field<number> => ({ id, empty: () => 0, read: { 1: double64 } });
export const float = (id: number): Field<number> => ({ id, empty: () => 0, read: { 5: float32 } });
export const bytes = (id: number): Field<Uint8Array> => ({ id, empty: () => new Uint8Array(), read: { 2: payload } });
export const text = (id: number): Field<string> => ({
  id,
  empty: () => '',
  read: { 2: (c) => utf8.decode(payload(c)) },
});

/** The same field, but undefined if absent, such as a member of a `oneof`. */
export const optional = <T>({ id, read }: Field<T>): Field<T | undefined> => ({
  id,
  empty: () => undefined,
  read: read as Field<T | undefined>['read'],
});

export const message = <T>(id: number, of: Message<T>): Field<T | undefined> => ({
  id,
  empty: () => undefined,
  read: { 2: (c) => of(payload(c)) },
});

function pushed<T>(list: T[], item: T): T[] {
  list.push(item);
  return list;
}

export const texts = (id: number): Field<string[]> => ({
  id,
  empty: () => [],
  read: { 2: (c, list) => pushed(list, utf8.decode(payload(c))) },
});

export const byteStrings = (id: number): Field<Uint8Array[]> => ({
  id,
  empty: () => [],
  read: { 2: (c, list) => pushed(list, payload(c)) },
});

export const messages = <T>(id: number, of: Message<T>): Field<T[]> => ({
  id,
  empty: () => [],
  read: { 2: (c, list) => pushed(list, of(payload(c))) },
});

/** Repeated numbers, packed or not. */
const numbers =
  (wire: Wire, one: (cursor: Cursor) => number) =>
  (id: number): Field<number[]> => ({
    id,
    empty: () => [],
    read: {
      [wire]: (c: Cursor, list: number[]) => pushed(list, one(c)),
      2: (c: Cursor, list: number[]) => {
        const packed = cursorOf(payload(c));
        while (packed.at < packed.end) list.push(one(packed));
        return list;
      },
    },
  });

export const integers: (id: number) => Field<number[]> = numbers(0, varint);
export const doubles: (id: number) => Field<number[]> = numbers(1, double64);
export const floats: (id: number) => Field<number[]> = numbers(5, float32);

/** Reads messages with these fields and skips others. Throws a RangeError if the bytes are not a message. */
export function messageOf<F extends Fields>(fields: F): Message<Decoded<F>> {
  const names = Object.keys(fields);
  const nameById = new Map(names.map((name) => [(fields[name] as Field<unknown>).id, name]));
  return (bytes) => {
    const cursor = cursorOf(bytes);
    const decoded: Record<string, unknown> = {};
    for (const name of names) decoded[name] = fields[name]?.empty();
    while (cursor.at < cursor.end) readField(cursor, fields, nameById, decoded);
    return decoded as Decoded<F>;
  };
}

function readField(
  cursor: Cursor,
  fields: Fields,
  nameById: ReadonlyMap<number, string>,
  decoded: Record<string, unknown>,
): void {
  const key = varint(cursor);
  const wire = (key % 8) as Wire;
  const skip = SKIP[wire];
  if (!skip) throw new RangeError(`a field of wire type ${wire} at ${cursor.at}`);
  const name = nameById.get(Math.floor(key / 8));
  const read = name === undefined ? undefined : fields[name]?.read[wire];
  if (name === undefined || !read) skip(cursor);
  else decoded[name] = read(cursor, decoded[name]);
}
