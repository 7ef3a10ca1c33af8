import { ByteBuffer } from 'flatbuffers';

/** Bytes per number, and how to read it. */
const NUMBERS = {
  bool: [1, (buffer: ByteBuffer, at: number) => buffer.readInt8(at)],
  int8: [1, (buffer: ByteBuffer, at: number) => buffer.readInt8(at)],
  uint8: [1, (buffer: ByteBuffer, at: number) => buffer.readUint8(at)],
  int32: [4, (buffer: ByteBuffer, at: number) => buffer.readInt32(at)],
  uint32: [4, (buffer: ByteBuffer, at: number) => buffer.readUint32(at)],
  float: [4, (buffer: ByteBuffer, at: number) => buffer.readFloat32(at)],
  int64: [8, (buffer: ByteBuffer, at: number) => Number(buffer.readInt64(at))],
} as const;
export type NumberKind = keyof typeof NUMBERS;

/** A FlatBuffers table; fields are identified by their index in the schema: https://flatbuffers.dev/internals */
export interface FlatTable {
  number(field: number, kind: NumberKind, fallback?: number): number;
  text(field: number): string;
  table(field: number): FlatTable | undefined;
  numbers(field: number, kind: NumberKind): number[];
  texts(field: number): string[];
  tables(field: number): FlatTable[];
  bytes(field: number): Uint8Array;
  /** Bytes of the file, for data outside the tables. */
  range(offset: number, size: number): Uint8Array;
}

export function rootTable(bytes: Uint8Array): FlatTable {
  const buffer = new ByteBuffer(bytes);
  return tableAt(buffer, buffer.readInt32(0));
}

function tableAt(buffer: ByteBuffer, at: number): FlatTable {
  const size = buffer.capacity();
  const within = (place: number, length: number) => {
    if (place >= 0 && length >= 0 && place + length <= size) return place;
    throw new Error('the file is damaged: a table leads outside of it');
  };
  within(at, 4);
  within(at - buffer.readInt32(at), 4);
  /** 0 if the table has no such field. */
  const placeOf = (field: number) => {
    const offset = buffer.__offset(at, 4 + 2 * field);
    return offset === 0 ? 0 : within(at + offset, 1);
  };
  const text = (place: number) => {
    const begin = within(buffer.__indirect(place), 4) + 4;
    const length = buffer.readInt32(begin - 4);
    return new TextDecoder().decode(buffer.bytes().subarray(within(begin, length), begin + length));
  };
  const list = <T>(field: number, bytes: number, read: (at: number) => T): T[] => {
    const place = placeOf(field);
    if (place === 0) return [];
    const begin = within(buffer.__vector(place), 0);
    const count = buffer.__vector_len(place);
    within(begin, count * bytes);
    return Array.from({ length: count }, (_, i) => read(begin + i * bytes));
  };
  return {
    number(field, kind, fallback = 0) {
      const place = placeOf(field);
      const [bytes, read] = NUMBERS[kind];
      return place === 0 ? fallback : read(buffer, within(place, bytes));
    },
    text(field) {
      const place = placeOf(field);
      return place === 0 ? '' : text(place);
    },
    table(field) {
      const place = placeOf(field);
      return place === 0 ? undefined : tableAt(buffer, buffer.__indirect(place));
    },
    numbers(field, kind) {
      const [bytes, read] = NUMBERS[kind];
      return list(field, bytes, (place) => read(buffer, place));
    },
    texts: (field) => list(field, 4, text),
    tables: (field) => list(field, 4, (place) => tableAt(buffer, buffer.__indirect(place))),
    bytes(field) {
      const place = placeOf(field);
      if (place === 0) return new Uint8Array();
      const [begin, length] = [buffer.__vector(place), buffer.__vector_len(place)];
      return buffer.bytes().subarray(within(begin, length), begin + length);
    },
    range: (offset, length) => buffer.bytes().subarray(within(offset, length), offset + length),
  };
}
