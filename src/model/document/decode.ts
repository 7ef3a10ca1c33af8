import type { Reader } from 'protobufjs/minimal.js';
import protobuf from 'protobufjs/minimal.js';
import { SardonyxError } from '../../base/errors.js';
import { Long } from '../int64.js';
import { textOfBytes } from './odd-strings.js';

Object.assign(protobuf.util, { Long });
protobuf.configure();

/** Integers of one or two bytes, shared between documents because most of a model's are small. */
const SHORT: Long[] = [];
function short(value: number): Long {
  SHORT[value] ??= Object.freeze(new Long(value, 0, false));
  return SHORT[value];
}

/** Reads strings so that they can be written back exactly, even if they are invalid UTF-8. */
class ExactReader extends protobuf.Reader {
  override string(): string {
    return textOfBytes(this.bytes());
  }

  override int64(): Long {
    const { buf, pos } = this;
    const [first = 128, second = 128] = [buf[pos], buf[pos + 1]];
    const length = first < 128 ? 1 : second < 128 ? 2 : Number.POSITIVE_INFINITY;
    if (pos + length > this.len) return super.int64() as unknown as Long;
    this.pos += length;
    return short(length === 1 ? first : (first & 127) | (second << 7));
  }

  override bytes(): Uint8Array {
    const length = this.uint32();
    const begin = this.pos;
    const end = begin + length;
    if (end > this.len) throw new RangeError(`index out of range: ${begin} + ${length} > ${this.len}`);
    this.pos = end;
    return this.buf.subarray(begin, end);
  }
}

/** Decodes a message with unknown fields; byte fields are views on `bytes`. The result is not frozen yet. */
export function decodeExactly<T>(message: { decode(reader: Reader): T }, bytes: Uint8Array, what: string): T {
  const reader = new ExactReader(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  reader.discardUnknown = false;
  try {
    return message.decode(reader);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SardonyxError('INVALID_MODEL', `invalid ${what} (${bytes.length} bytes): ${reason}`, {}, { cause });
  }
}
