import type protobuf from 'protobufjs/minimal.js';
import type { Writer } from 'protobufjs/minimal.js';
import { DEPTH, type Field, type Message, type MessageType, messageTypes, type Parts } from './message-types.js';

type Put = (value: unknown) => Writer;
type Writing = Writer & Readonly<Record<Exclude<Field['type'], MessageType>, Put>> & Readonly<Record<string, Put>>;

/** Message types that can also be encoded. */
export function writtenTypes(
  parts: Parts & Pick<typeof protobuf, 'Writer'>,
  table: string,
): Record<string, MessageType> {
  const types = messageTypes(parts, table);
  for (const type of Object.values(types))
    type.encode = (message, writer = parts.Writer.create()) => encode(type, message, writer as Writing, 0);
  return types;
}

/** Encodes a message's own fields in the order of their numbers, then unknown ones. */
function encode({ fields }: MessageType, message: Message, writer: Writing, depth: number): Writer {
  if (depth > DEPTH) throw Error('max depth exceeded');
  fields.forEach((field) => {
    const value = message[field.name];
    if (field.isList) writeList(field, (value ?? []) as readonly unknown[], writer, depth);
    else if (value != null && Object.hasOwn(message, field.name)) write(field, value, writer, depth);
  });
  if (Object.hasOwn(message, '$unknowns'))
    for (const bytes of message.$unknowns ?? []) (writer as Writing & Raw).raw(bytes);
  return writer;
}

interface Raw {
  raw(bytes: Uint8Array): Writer;
}

function writeList(field: Field, list: readonly unknown[], writer: Writing, depth: number): void {
  if (!field.isPacked) for (const item of list) write(field, item, writer, depth);
  else if (list.length > 0) (writer.uint32((field.number << 3) | 2) as Writing)[`${field.type}s`]?.(list);
}

function write({ number, wire, type }: Field, value: unknown, writer: Writing, depth: number): void {
  writer.uint32((number << 3) | wire);
  if (typeof type === 'string') writer[type](value);
  else encode(type, value as Message, writer.fork() as Writing, depth + 1).ldelim();
}
