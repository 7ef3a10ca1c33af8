import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';

/** A message as the wire has it: fields in their order, known or not. https://protobuf.dev/programming-guides/encoding */
export interface Message {
  readonly type: string;
  fields: Field[];
}

/** `claimed` is the length that stands before the contents, where that is not theirs; `padding` makes a varint longer than it need be. */
export type Field =
  | { readonly id: number; readonly wire: 0; readonly value: bigint; readonly padding?: number }
  | { readonly id: number; readonly wire: 1 | 5; readonly bytes: Uint8Array }
  | { readonly id: number; readonly wire: 2; readonly bytes: Uint8Array; readonly claimed?: bigint }
  | { readonly id: number; readonly wire: 2; readonly message: Message; readonly claimed?: bigint };

const root = protobuf.parse(readFileSync(new URL('../../../src/model/onnx.proto', import.meta.url), 'utf8')).root;

interface FieldFacts {
  readonly name: string;
  /** `int64`, `string` … or a message's full name. */
  readonly type: string;
  readonly isMessage: boolean;
  readonly isRepeated: boolean;
}

const facts = new Map<string, ReadonlyMap<number, FieldFacts>>();

/** What the format says of a message's fields, by number. */
export function fieldsOf(type: string): ReadonlyMap<number, FieldFacts> {
  const known = facts.get(type);
  if (known) return known;
  const message = root.lookupType(type);
  const made = new Map(
    message.fieldsArray.map(({ id, name, type: plain, repeated }) => {
      const named = message.lookup(plain);
      const isMessage = named instanceof protobuf.Type;
      const full = isMessage ? named.fullName.slice(1) : named ? 'enum' : plain;
      return [id, { name, type: full, isMessage, isRepeated: repeated }] as const;
    }),
  );
  facts.set(type, made);
  return made;
}

const numbers = new Map<string, number>();

/** The number of a field: `idOf('NodeProto', 'opType')`. */
export function idOf(type: string, name: string): number {
  const key = `${type}.${name}`;
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const found = [...fieldsOf(type)].find(([, field]) => field.name === name);
  if (!found) throw new Error(`no field ${key}`);
  numbers.set(key, found[0]);
  return found[0];
}

/** The tree of a message; undefined where the bytes are none. */
export function parse(bytes: Uint8Array, type = 'ModelProto'): Message | undefined {
  try {
    return parsed(bytes, type);
  } catch {
    return undefined;
  }
}

function parsed(bytes: Uint8Array, type: string): Message {
  const known = fieldsOf(type);
  const fields: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new RangeError('cut short');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new RangeError('too long');
  };
  const take = (length: number) => {
    if (at + length > bytes.length) throw new RangeError('cut short');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const [id, wire] = [Math.floor(tag / 8), tag % 8];
    const inner = known.get(id);
    if (wire === 0) fields.push({ id, wire, value: varint() });
    else if (wire === 1 || wire === 5) fields.push({ id, wire, bytes: take(wire === 1 ? 8 : 4) });
    else if (wire !== 2) throw new RangeError('a group');
    else {
      const contents = take(Number(varint()));
      fields.push(
        inner?.isMessage ? { id, wire, message: parsed(contents, inner.type) } : { id, wire, bytes: contents },
      );
    }
  }
  return { type, fields };
}

/** The bytes of a tree; undefined where it is nested more deeply than the stack takes. */
export function encode(message: Message): Uint8Array | undefined {
  try {
    return contentsOf(message);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Written from its end on: each length is known when its place comes. */
export function contentsOf(message: Message): Uint8Array {
  const parts: Uint8Array[] = [];
  writeBackwards(message, parts);
  return joined(parts.reverse());
}

/** Adds the parts of a message, the last first, and returns its length. */
function writeBackwards({ fields }: Message, parts: Uint8Array[]): number {
  let length = 0;
  const add = (part: Uint8Array) => {
    parts.push(part);
    length += part.length;
  };
  for (const field of fields.toReversed()) {
    if (field.wire === 0) add(varintBytes(field.value, field.padding));
    else if ('message' in field) {
      const inner = writeBackwards(field.message, parts);
      length += inner;
      add(varintBytes(field.claimed ?? BigInt(inner)));
    } else {
      add(field.bytes);
      if (field.wire === 2) add(varintBytes(field.claimed ?? BigInt(field.bytes.length)));
    }
    add(varintBytes((BigInt(field.id) << 3n) | BigInt(field.wire)));
  }
  return length;
}

/** A field's beginning and contents. */
export const delimited = (id: number, contents: Uint8Array): Uint8Array =>
  joined([varintBytes((BigInt(id) << 3n) | 2n), varintBytes(BigInt(contents.length)), contents]);

export function varintBytes(value: bigint, padding = 0): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  for (let i = 0; i < padding; i++) {
    bytes.push((bytes.pop() as number) | 128, 0);
  }
  return Uint8Array.from(bytes);
}

export const joined = (parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** Every message of a tree, the outermost first. */
export function messagesIn(message: Message): Message[] {
  const found = [message];
  for (let i = 0; i < found.length; i++)
    for (const field of (found[i] as Message).fields) if ('message' in field) found.push(field.message);
  return found;
}

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder() };

export const textField = (id: number, text: string): Field => ({ id, wire: 2, bytes: utf8.encoder.encode(text) });

export const textOf = (field: Field): string => ('bytes' in field ? utf8.decoder.decode(field.bytes) : '');

export const numberField = (id: number, value: number | bigint): Field => ({ id, wire: 0, value: BigInt(value) });
