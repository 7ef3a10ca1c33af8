/** Reads `length` bytes of a file from `offset` on. */
export type ReadAt = (offset: number, length: number) => Uint8Array;

/** The location under which a skeleton names the model's own file. */
export const OWN_FILE = '\0own';

/** Shorter raw data stay in the skeleton. */
const MIN_LEFT_BYTES = 4096;

/** Messages on the way to the weights, by field number: ModelProto.graph, GraphProto.initializer. */
const GRAPH = 7;
const INITIALIZER = 5;

/** Fields of TensorProto. */
const RAW_DATA = 9;
const EXTERNAL_DATA = 13;
const DATA_LOCATION = 14;

/**
 * A model file without the raw data of its larger initializers, which become external data in the file itself: the
 * weights of a large model can so be read one by one. Throws where the file is no protobuf message.
 * https://protobuf.dev/programming-guides/encoding
 */
export function readSkeleton(read: ReadAt, size: number): Uint8Array {
  const cursor = new FileCursor(read, size);
  return message(cursor, size, (field, end) => {
    if (field !== GRAPH) return undefined;
    return message(cursor, end, (inner, innerEnd) => (inner === INITIALIZER ? tensor(cursor, innerEnd) : undefined));
  });
}

/** Copies a message up to `end`; `replace` may give other contents for a length-delimited field. */
function message(
  cursor: FileCursor,
  end: number,
  replace: (field: number, end: number) => Uint8Array | undefined,
): Uint8Array {
  const parts: Uint8Array[] = [];
  while (cursor.offset < end) {
    const tag = cursor.varint();
    const field = Math.floor(tag / 8);
    const wire = tag % 8;
    if (wire !== 2) {
      parts.push(
        varint(tag),
        cursor.take(wire === 0 ? cursor.varintLength() : wire === 1 ? 8 : wire === 5 ? 4 : malformed()),
      );
      continue;
    }
    const length = cursor.varint();
    const fieldEnd = cursor.offset + length;
    if (fieldEnd > end) malformed();
    const contents = replace(field, fieldEnd) ?? cursor.take(length);
    if (contents !== DROPPED) parts.push(varint(tag), varint(contents.length), contents);
  }
  return cursor.offset === end ? joined(parts) : malformed();
}

const DROPPED = new Uint8Array();

function tensor(cursor: FileCursor, end: number): Uint8Array {
  let left: { offset: number; length: number } | undefined;
  const rest = message(cursor, end, (field, fieldEnd) => {
    const length = fieldEnd - cursor.offset;
    if (field !== RAW_DATA || length < MIN_LEFT_BYTES) return undefined;
    left = { offset: cursor.offset, length };
    cursor.skip(length);
    return DROPPED;
  });
  if (!left) return rest;
  const entries = Object.entries({ location: OWN_FILE, offset: `${left.offset}`, length: `${left.length}` });
  const fields = entries.map(([key, value]) =>
    delimited(EXTERNAL_DATA, joined([delimited(1, utf8(key)), delimited(2, utf8(value))])),
  );
  return joined([rest, ...fields, varint(DATA_LOCATION * 8), varint(1)]);
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

function malformed(): never {
  throw new RangeError('not a protobuf message');
}

const WINDOW = 65536;

/** Reads a file forwards through a window. */
class FileCursor {
  offset = 0;
  #start = 0;
  #window: Uint8Array = DROPPED;

  constructor(
    private readonly read: ReadAt,
    private readonly size: number,
  ) {}

  varint(): number {
    let value = 0;
    for (let scale = 1; scale <= 2 ** 49; scale *= 128) {
      const byte = this.#byte();
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
    return malformed();
  }

  /** Length of the varint at the cursor. */
  varintLength(): number {
    const from = this.offset;
    for (let length = 1; length <= 10; length++) {
      if (this.#byte() < 128) {
        this.offset = from;
        return length;
      }
    }
    return malformed();
  }

  take(length: number): Uint8Array {
    if (this.offset + length > this.size) malformed();
    const at = this.offset - this.#start;
    const inside = at >= 0 && at + length <= this.#window.length;
    const bytes = inside ? this.#window.slice(at, at + length) : this.read(this.offset, length);
    this.offset += length;
    return bytes;
  }

  skip(length: number): void {
    this.offset += length;
  }

  #byte(): number {
    const at = this.offset - this.#start;
    if (at < 0 || at >= this.#window.length) {
      if (this.offset >= this.size) malformed();
      this.#start = this.offset;
      this.#window = this.read(this.offset, Math.min(WINDOW, this.size - this.offset));
    }
    return this.#window[this.offset++ - this.#start] as number;
  }
}
