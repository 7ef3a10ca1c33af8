/** An encoded field of a protobuf message: https://protobuf.dev/programming-guides/encoding. */
export type Field = Uint8Array<ArrayBuffer>;

const utf8 = new TextEncoder();
const WIRE = { varint: 0, bits64: 1, bytes: 2, bits32: 5 } as const;

export function concat(parts: readonly Uint8Array[]): Field {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    joined.set(part, end);
    end += part.length;
  }
  return joined;
}

/** Seven bits per byte, the low ones first. Uses division, because shifts are limited to 32 bits. */
function varint(value: number): number[] {
  const bytes = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return bytes;
}

const headed = (id: number, wire: number, rest: readonly number[]): Field =>
  Uint8Array.from([...varint(id * 8 + wire), ...rest]);

const scratch = new DataView(new ArrayBuffer(8));
const bytesOf = (count: number) => Array.from({ length: count }, (_, i) => scratch.getUint8(i));

/** An omitted field, which readers treat as 0 or absent. */
const LEFT_OUT: Field = new Uint8Array();
export const unlessZero = (field: (id: number, value: number) => Field, id: number, value: number): Field =>
  Object.is(value, 0) ? LEFT_OUT : field(id, value);

/** A non-negative integer. */
export const integer = (id: number, value: number): Field => headed(id, WIRE.varint, varint(value));

export function float(id: number, value: number): Field {
  scratch.setFloat32(0, value, true);
  return headed(id, WIRE.bits32, bytesOf(4));
}

export function double(id: number, value: number): Field {
  scratch.setFloat64(0, value, true);
  return headed(id, WIRE.bits64, bytesOf(8));
}

export const bytes = (id: number, value: Uint8Array): Field =>
  concat([headed(id, WIRE.bytes, varint(value.length)), value]);

export const text = (id: number, value: string): Field => bytes(id, utf8.encode(value));

export const message = (id: number, ...fields: readonly Field[]): Field => bytes(id, concat(fields));

/** Packed numbers of a fixed size. */
const packed = (id: number, values: ArrayBuffer): Field =>
  values.byteLength === 0 ? LEFT_OUT : bytes(id, new Uint8Array(values));

export function floats(id: number, values: readonly number[]): Field {
  const view = new DataView(new ArrayBuffer(4 * values.length));
  for (const [i, value] of values.entries()) view.setFloat32(4 * i, value, true);
  return packed(id, view.buffer);
}

export function doubles(id: number, values: readonly number[]): Field {
  const view = new DataView(new ArrayBuffer(8 * values.length));
  for (const [i, value] of values.entries()) view.setFloat64(8 * i, value, true);
  return packed(id, view.buffer);
}
