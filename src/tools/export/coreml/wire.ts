/** Encodes protobuf messages, innermost first: https://protobuf.dev/programming-guides/encoding */
export type Bytes = Uint8Array;

const encoder = new TextEncoder();

function varint(value: number): number[] {
  if (value < 0) return [...varint64(BigInt.asUintN(64, BigInt(value)))];
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

function varint64(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

export function joined(parts: readonly Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Encodes an integer. proto3 omits 0. */
export const number = (field: number, value: number): Bytes =>
  value === 0 ? new Uint8Array() : Uint8Array.from([...varint(field * 8), ...varint(value)]);

/** Encodes a message or bytes. */
export const message = (field: number, ...parts: readonly Bytes[]): Bytes => {
  const content = joined(parts);
  return joined([Uint8Array.from([...varint(field * 8 + 2), ...varint(content.length)]), content]);
};

export const text = (field: number, value: string): Bytes => message(field, encoder.encode(value));

/** Encodes an entry of a map from strings to messages. */
export const entry = (field: number, key: string, ...value: readonly Bytes[]): Bytes =>
  message(field, text(1, key), message(2, ...value));

/** Encodes a packed list of integers. */
export const packed = (field: number, values: readonly number[]): Bytes =>
  message(field, Uint8Array.from(values.flatMap(varint)));

export const floats = (field: number, values: ArrayLike<number>): Bytes =>
  message(field, new Uint8Array(Float32Array.from(values).buffer));
