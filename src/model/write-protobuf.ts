import protobuf from 'protobufjs/minimal.js';
import { SardonyxError } from '../base/errors.js';
import { Long } from './int64.js';

Object.assign(protobuf.util, { Long });
protobuf.configure();

export function encode<T>(
  message: { encode(message: T, writer: protobuf.Writer): protobuf.Writer },
  value: T,
): Uint8Array {
  try {
    return message.encode(value, new protobuf.Writer()).finish();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SardonyxError('INVALID_GRAPH', `cannot encode this as protobuf: ${reason}`, {}, { cause });
  }
}
