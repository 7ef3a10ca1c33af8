import { refuse } from './fields.js';

interface Numbers {
  readonly bytes: number;
  readonly read: (view: DataView, at: number) => number;
}

/** https://ubjson.org/type-reference, big-endian. */
const NUMBERS: Readonly<Record<string, Numbers>> = {
  i: { bytes: 1, read: (view, at) => view.getInt8(at) },
  U: { bytes: 1, read: (view, at) => view.getUint8(at) },
  I: { bytes: 2, read: (view, at) => view.getInt16(at) },
  l: { bytes: 4, read: (view, at) => view.getInt32(at) },
  L: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at)) },
  d: { bytes: 4, read: (view, at) => view.getFloat32(at) },
  D: { bytes: 8, read: (view, at) => view.getFloat64(at) },
};

const WORDS: Readonly<Record<string, unknown>> = { T: true, F: false, Z: null };

/** The maximum nesting depth, beyond that of any real model. */
const DEEPEST = 64;

const broken = (at: number): never => refuse(`the model is neither valid JSON nor valid UBJSON (error at byte ${at})`);

/** Parses Universal Binary JSON. */
export function fromUbjson(bytes: Uint8Array): object {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = 0;
  const take = (length: number): number => {
    const at = position;
    if (!(length >= 0 && at + length <= bytes.length)) broken(at);
    position += length;
    return at;
  };
  const marker = (): string => String.fromCharCode(bytes[take(1)] as number);
  const isNext = (mark: string): boolean => {
    const isIt = position < bytes.length && String.fromCharCode(bytes[position] as number) === mark;
    if (isIt) position++;
    return isIt;
  };
  const number = (mark: string): number => {
    const type = NUMBERS[mark] ?? broken(position - 1);
    return type.read(view, take(type.bytes));
  };
  const text = (): string => {
    const length = number(marker());
    const at = take(length);
    return new TextDecoder().decode(bytes.subarray(at, at + length));
  };
  /** The optional type and count of a container. */
  const head = () => {
    const type = isNext('$') ? marker() : undefined;
    return { type, count: isNext('#') ? number(marker()) : undefined };
  };
  const list = (depth: number): unknown[] => {
    const { type, count = Number.POSITIVE_INFINITY } = head();
    if (Number.isFinite(count) && count > bytes.length - position) broken(position);
    const items: unknown[] = [];
    while (items.length < count && !(count === Number.POSITIVE_INFINITY && isNext(']')))
      items.push(value(type ?? marker(), depth));
    return items;
  };
  const record = (depth: number): object => {
    const { type, count = Number.POSITIVE_INFINITY } = head();
    const fields: [string, unknown][] = [];
    while (fields.length < count && !(count === Number.POSITIVE_INFINITY && isNext('}')))
      fields.push([text(), value(type ?? marker(), depth)]);
    return Object.fromEntries(fields);
  };
  const value = (mark: string, depth: number): unknown => {
    if (depth > DEEPEST) broken(position);
    if (mark === '{') return record(depth + 1);
    if (mark === '[') return list(depth + 1);
    if (mark === 'S') return text();
    if (Object.hasOwn(WORDS, mark)) return WORDS[mark];
    return number(mark);
  };
  const whole = value(marker(), 0);
  return typeof whole === 'object' && whole !== null ? whole : broken(0);
}
