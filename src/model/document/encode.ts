import protobuf from 'protobufjs/minimal.js';
import { SardonyxError } from '../../base/errors.js';
import { Long } from '../int64.js';
import { LeftBytes, sizeOf } from './left-bytes.js';
import { bytesOfText } from './odd-strings.js';

Object.assign(protobuf.util, { Long });
protobuf.configure();

/** protobuf's limit for one message: https://protobuf.dev/programming-guides/proto-limits */
export const MOST_BYTES = 2 ** 31 - 1;

/** Byte fields of at least this size are not copied into the writer's buffer. */
const LEAST_APART = 4096;

/** The bytes of a message as parts in order: encoded bytes, large byte fields without a copy, and data left in files. */
export interface Encoded {
  readonly size: number;
  readonly parts: readonly Uint8Array[];
}

interface Message<T> {
  encode(message: T, writer: protobuf.Writer): protobuf.Writer;
}

/** Fields of protobufjs' writer that its types lack. */
interface WriterState {
  buf: Uint8Array;
  pos: number;
}

interface Apart {
  /** Position in the written bytes. */
  at: number;
  readonly bytes: Uint8Array;
}

/** A writer that does not copy large byte fields, but counts their sizes. */
class PartsWriter extends protobuf.Writer {
  readonly apart: Apart[] = [];
  #forks: { readonly at: number; readonly first: number }[] = [];

  override bytes(value: Uint8Array): this {
    const size = sizeOf(value);
    this.uint32(size);
    if (value instanceof LeftBytes || size >= LEAST_APART) this.apart.push({ at: this.#state.pos, bytes: value });
    else this.raw(value);
    return this;
  }

  override string(value: string): this {
    return this.bytes(bytesOfText(value));
  }

  override fork(): this {
    this.#forks.push({ at: this.#state.pos, first: this.apart.length });
    return this;
  }

  /** Inserts the length of the bytes since the last `fork` before them. */
  override ldelim(): this {
    const state = this.#state;
    const { at, first } = this.#forks.pop() as { at: number; first: number };
    const written = state.pos - at;
    this.uint32(this.apart.slice(first).reduce((sum, { bytes }) => sum + sizeOf(bytes), written));
    const grown = state.pos - at - written;
    const length = state.buf.slice(state.pos - grown, state.pos);
    state.buf.copyWithin(at + grown, at, at + written);
    state.buf.set(length, at);
    for (let i = first; i < this.apart.length; i++) (this.apart[i] as Apart).at += grown;
    return this;
  }

  get #state(): WriterState {
    return this as unknown as WriterState;
  }
}

/** Encodes all present fields of a message in the order of their numbers, followed by unknown ones. */
export function encodeParts<T>(message: Message<T>, value: T): Encoded {
  const writer = new PartsWriter();
  try {
    message.encode(value, writer);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SardonyxError('INVALID_GRAPH', `cannot encode this as protobuf: ${reason}`, {}, { cause });
  }
  const written = writer.finish();
  const parts: Uint8Array[] = [];
  let begin = 0;
  for (const { at, bytes } of writer.apart) {
    if (at > begin) parts.push(written.subarray(begin, at));
    parts.push(bytes);
    begin = at;
  }
  if (begin < written.length) parts.push(written.subarray(begin));
  return { size: parts.reduce((sum, part) => sum + sizeOf(part), 0), parts };
}

/** Encodes a message into one array, if no data was left in files. */
export function encodeExactly<T>(message: Message<T>, value: T): Uint8Array {
  const { size, parts } = encodeParts(message, value);
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    if (part instanceof LeftBytes)
      throw new SardonyxError('INTERNAL', 'a message with data in files cannot be encoded into one array');
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
