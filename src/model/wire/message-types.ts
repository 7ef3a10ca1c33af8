import type protobuf from 'protobufjs/minimal.js';
import type { Reader } from 'protobufjs/minimal.js';
import { Long } from '../int64.js';

/** Scalar types of fields, with their protobuf wire types. */
const SCALARS = { int64: 0, uint64: 0, int32: 0, float: 5, double: 1, string: 2, bytes: 2 } as const;
type Scalar = keyof typeof SCALARS;

/** Wire type of strings, bytes, messages and packed lists. */
const DELIMITED = 2;
/** Depth of nested messages that is accepted, as in protoc. */
export const DEPTH = 100;

type Enum = Readonly<Record<string | number, string | number>>;
export type Message = Record<string, unknown> & { $unknowns?: Uint8Array[] };

export interface Field {
  readonly name: string;
  readonly number: number;
  readonly wire: number;
  readonly isList: boolean;
  readonly isPacked: boolean;
  /** Name of the virtual field that holds the name of the `oneof` member that is set. */
  readonly oneOf: string | undefined;
  /** Type of the values: a scalar, `int32` for enums, or a message. */
  readonly type: Scalar | MessageType;
  readonly values: Enum | undefined;
}

/** The class of a message, as in protobufjs' static code. */
export interface MessageType {
  new (properties?: object): Message;
  readonly prototype: Message;
  /** Fields in the order of their numbers. */
  readonly fields: Field[];
  decode?(reader: Reader | Uint8Array, length?: number): Message;
  encode?(message: Message, writer?: protobuf.Writer): protobuf.Writer;
}

/** Parts of protobufjs, and methods that its types lack. */
export type Parts = Pick<typeof protobuf, 'Reader' | 'util'>;
type Reading = Reader &
  Readonly<Record<Scalar, () => unknown> & Record<`${Scalar}s`, (list: unknown[]) => void>> & {
    size(): number;
    tag(): number;
    skipType(wire: number, depth: number, field: number): void;
  };

/**
 * Message types by name, nested ones as `TypeProto.Tensor`, from a table with one line each: `Name field:type:number …`, with `*` after the
 * type for lists, `+` for packed ones, and `?value` in a `oneof`; or `Name=WORD:number …` for an enum. The classes equal those in pbjs'
 * static modules, in a tenth of the bytes.
 */
export function messageTypes({ Reader, util }: Parts, table: string): Record<string, MessageType> {
  const lines = table.split('\n');
  const words = (line: string) => line.split(/[ =]/) as [string, ...string[]];
  const enums = new Map(lines.filter((line) => line.includes('=')).map((line) => enumOf(words(line))));
  const messages = lines.filter((line) => !line.includes('=')).map(words);
  const types = Object.fromEntries(messages.map(([name]) => [name, messageType()]));
  for (const [name, ...fields] of messages) {
    const type = types[name] as MessageType;
    for (const field of fields) addField(type, fieldOf(field, types, enums), util);
    type.decode = (bytes, length) => {
      const reader = (bytes instanceof Reader ? bytes : Reader.create(bytes)) as Reading;
      return decode(type, reader, length === undefined ? reader.len : reader.pos + length, 0);
    };
  }
  for (const [name, part] of [...Object.entries(types), ...enums]) {
    const [outer, inner] = name.split('.') as [string, string | undefined];
    if (inner) Object.assign(types[outer] as MessageType, { [inner]: part });
  }
  return types;
}

function messageType(): MessageType {
  const fields: Field[] = [];
  const type = function (this: Message, properties: object = {}) {
    fields.forEach(({ name, isList }) => {
      if (isList) this[name] = [];
    });
    for (const [name, value] of Object.entries(properties)) if (value != null) this[name] = value;
  };
  return Object.assign(type as unknown as MessageType, { fields });
}

/** An enum: numbers by words. Words by numbers are on the prototype, so that they are not enumerated. */
function enumOf([name, ...words]: readonly [string, ...string[]]): [string, Enum] {
  const pairs = words.map((word) => word.split(':') as [string, string]);
  const values = Object.create(Object.fromEntries(pairs.map(([word, number]) => [number, word])));
  return [name, Object.assign(values, Object.fromEntries(pairs.map(([word, number]) => [word, Number(number)])))];
}

const FIELD = /^(\w+):([\w.]+)([*+]?)(?:\?(\w+))?:(\d+)$/;

function fieldOf(text: string, types: Readonly<Record<string, MessageType>>, enums: ReadonlyMap<string, Enum>): Field {
  const [, name = '', of = '', form = '', oneOf, number] = FIELD.exec(text) ?? [];
  const values = enums.get(of);
  const type = types[of] ?? (values ? 'int32' : (of as Scalar));
  const wire = typeof type === 'string' ? SCALARS[type] : DELIMITED;
  return { name, number: Number(number), wire, isList: form !== '', isPacked: form === '+', oneOf, type, values };
}

function addField({ fields, prototype }: MessageType, field: Field, util: Parts['util']): void {
  const { name, number, oneOf } = field;
  fields[number] = field;
  prototype[name] = unset(field, util);
  if (!oneOf) return;
  const names = fields.filter((other) => other.oneOf === oneOf).map((other) => other.name);
  const access = { get: util.oneOfGetter(names), set: util.oneOfSetter(names), configurable: true };
  Object.defineProperty(prototype, oneOf, access);
}

/** The default of a field. */
function unset({ isList, oneOf, type }: Field, { emptyArray, newBuffer }: Parts['util']): unknown {
  if (isList) return emptyArray;
  if (oneOf || typeof type !== 'string') return null;
  if (type === 'string') return '';
  if (type === 'bytes') return newBuffer([]);
  return type.endsWith('int64') ? Long.fromBits(0, 0, type === 'uint64') : 0;
}

function decode(type: MessageType, reader: Reading, end: number, depth: number, into?: unknown): Message {
  if (depth > DEPTH) throw Error('max depth exceeded');
  const { len } = reader;
  if (end > len) throw RangeError('index out of range');
  reader.len = end;
  const message = (into as Message | undefined) ?? new type();
  while (reader.pos < end) {
    const start = reader.pos;
    const tag = reader.tag();
    const field = type.fields[tag >>> 3];
    const isTaken = field !== undefined && takes(field, tag & 7);
    if (!isTaken) reader.skipType(tag & 7, depth, tag >>> 3);
    else if (read(message, field, tag, reader, depth)) continue;
    if (!reader.discardUnknown) keepUnknown(message, reader.buf.subarray(start, reader.pos));
  }
  if (reader.pos !== end) throw RangeError('index out of range');
  reader.len = len;
  return message;
}

/** Lists of numbers may be packed or not, regardless of the schema. */
const takes = ({ wire, isList }: Field, found: number): boolean => found === wire || (isList && found === DELIMITED);

/** Reads a field; false if it is an unknown enum value. */
function read(message: Message, field: Field, tag: number, reader: Reading, depth: number): boolean {
  const { name, isList, type, values, oneOf } = field;
  if (isList) readList(message[name] as unknown[], field, tag, reader, depth);
  else {
    const value = typeof type === 'string' ? reader[type]() : within(type, reader, depth, message[name]);
    if (values && values[value as number] === undefined) return false;
    message[name] = value;
  }
  if (oneOf) message[oneOf] = name;
  return true;
}

/** Reads repeated items with the same tag in one go, because attributes may have thousands of numbers. */
function readList(list: unknown[], { type, wire }: Field, tag: number, reader: Reading, depth: number): void {
  if (typeof type === 'string' && (tag & 7) !== wire) return void reader[`${type}s`](list);
  const item = typeof type === 'string' ? () => reader[type]() : () => within(type, reader, depth);
  list.push(item());
  while (tag < 128 && reader.buf[reader.pos] === tag && reader.pos < reader.len) {
    reader.pos++;
    list.push(item());
  }
}

/** Reads a nested message; merges it with an earlier part. */
function within(type: MessageType, reader: Reading, depth: number, into?: unknown): Message {
  const length = reader.size();
  return decode(type, reader, reader.pos + length, depth + 1, into);
}

function keepUnknown(message: Message, bytes: Uint8Array): void {
  if (message.$unknowns) message.$unknowns.push(bytes);
  else Object.defineProperty(message, '$unknowns', { value: [bytes], configurable: true, writable: true });
}
