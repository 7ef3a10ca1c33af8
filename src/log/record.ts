import { crc32c, masked } from './checksum.js';
import { concat, double, type Field, integer, message, text, unlessZero } from './fields.js';

/** A TFRecord: the length, its checksum, the data, their checksum; little-endian. */
export function record(data: Uint8Array): Field {
  const framed = new Uint8Array(data.length + 16);
  const view = new DataView(framed.buffer);
  view.setBigUint64(0, BigInt(data.length), true);
  view.setUint32(8, masked(crc32c(framed.subarray(0, 8))), true);
  framed.set(data, 12);
  view.setUint32(data.length + 12, masked(crc32c(data)), true);
  return framed;
}

/** Field numbers of Event: https://github.com/tensorflow/tensorflow/blob/master/tensorflow/core/util/event.proto. */
const Event = { wallTime: 1, step: 2, fileVersion: 3, summary: 5 } as const;

/** The first record of every file. */
export const version = (wallTime: number): Field =>
  record(concat([double(Event.wallTime, wallTime), text(Event.fileVersion, 'brain.Event:2')]));

/** A record with the values of a step; `wallTime` is in seconds since 1970. */
export const event = (wallTime: number, step: number, values: readonly Field[]): Field =>
  record(
    concat([
      double(Event.wallTime, wallTime),
      unlessZero(integer, Event.step, step),
      message(Event.summary, ...values),
    ]),
  );
