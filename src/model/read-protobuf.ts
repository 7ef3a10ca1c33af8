import type { Reader } from 'protobufjs/minimal.js';
import protobuf from '../../build/protobuf-reader.js';
import { SardonyxError } from '../base/errors.js';
import { Long } from './int64.js';

Object.assign(protobuf.util, { Long });
protobuf.configure();

/** Decodes one protobuf message; byte fields are views on `bytes`. Malformed messages throw INVALID_MODEL. */
export function decode<T>(message: { decode(reader: Reader): T }, bytes: Uint8Array<ArrayBufferLike>, what: string): T {
  const reader = new protobuf.Reader(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  reader.discardUnknown = true;
  try {
    return message.decode(reader);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SardonyxError('INVALID_MODEL', `invalid ${what} (${bytes.length} bytes): ${reason}`, {}, { cause });
  }
}

const utf8 = new TextDecoder();

/** Copies shared memory first, because browsers cannot decode it. */
export const text = (bytes: Uint8Array): string =>
  utf8.decode(bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice());
