import { fromBigInt, Long, toBigInt } from '../int64.js';
import { withRawData } from './elements.js';
import type { Scanner } from './scanner.js';

// Annotations: comments such as `#! doc_string: "…"` that follow a message and hold what ONNX's syntax cannot express. Each is the path of
// a field, with names of onnx.proto, and its value in JSON; null means that the field is absent.

type Fields = Record<string, unknown>;
type Step = string | number;

const UNKNOWN = 'unknown_fields';

const fieldOf = (name: string): string =>
  name === UNKNOWN ? '$unknowns' : name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export const fieldName = (field: string): string =>
  field === '$unknowns' ? UNKNOWN : field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Applies the annotations that follow a message to it. */
export function annotate<T extends object>(scanner: Scanner, message: T): T {
  for (const note of scanner.notes()) {
    const [, path, , json] = /^([\w.[\]]+)(: ?(.*))?$/s.exec(note) ?? [];
    if (path === undefined) throw scanner.refusal(`an annotation like "#! doc_string: …" before this, not "${note}"`);
    try {
      put(message as Fields, stepsOf(path), json);
    } catch (cause) {
      if (!(cause instanceof TypeError || cause instanceof SyntaxError)) throw cause;
      throw scanner.refusal(`an annotation before this that matches what it follows, not "#! ${note.slice(0, 80)}"`);
    }
  }
  return message;
}

const stepsOf = (path: string): Step[] =>
  Array.from(path.matchAll(/(\w+)|\[(\d+)\]/g), ([, name, index]) =>
    name === undefined || index !== undefined ? Number(index) : fieldOf(name),
  );

function put(message: Fields, steps: readonly Step[], json: string | undefined): void {
  const last = steps.at(-1) as Step;
  const owner = steps.slice(0, -1).reduce<Fields>((at, step) => ownerIn(at, step), message);
  if (json === undefined) replace(owner, withRawData(owner) as Fields);
  else if (json === 'null') delete owner[last];
  else owner[last] = fieldValue(JSON.parse(json));
}

/** The submessage at `step`; created if absent. */
function ownerIn(at: Fields, step: Step): Fields {
  at[step] ??= {};
  return at[step] as Fields;
}

function replace(message: Fields, other: Fields): void {
  for (const field of Object.keys(message)) if (!(field in other)) delete message[field];
  Object.assign(message, other);
}

/** Converts JSON to field values. Bytes, 64-bit integers, NaN and infinities are objects, because JSON lacks them. */
function fieldValue(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(fieldValue);
  if (typeof json !== 'object' || json === null) return json;
  const { bytes, int, float } = json as Record<string, string>;
  if (bytes !== undefined) return fromBase64(bytes);
  if (int !== undefined) return fromBigInt(BigInt(int));
  if (float !== undefined) return Number(float);
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [fieldOf(name), fieldValue(value)]));
}

export function jsonOf(value: unknown): unknown {
  if (value instanceof Uint8Array) return { bytes: toBase64(value) };
  if (value instanceof Long) return integerOf(toBigInt(value));
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value === 'number')
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { float: Object.is(value, -0) ? '-0' : `${value}` };
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(fieldsOf(value).map(([field, inner]) => [fieldName(field), jsonOf(inner)]));
}

const integerOf = (value: bigint): unknown =>
  BigInt.asIntN(53, value) === value ? Number(value) : { int: `${BigInt.asIntN(64, value)}` };

/** Fields that a message has; empty lists count as absent. */
const fieldsOf = (message: object): [string, unknown][] =>
  Object.entries(message).filter(([, value]) => value != null && !(Array.isArray(value) && value.length === 0));

/** The annotations that turn `text`, a message parsed from its text, into `whole`. */
export function differences(text: object, whole: object, path = ''): string[] {
  const [has, wants] = [new Map(fieldsOf(text)), new Map(fieldsOf(whole))];
  if (wants.has('rawData') && !has.has('rawData') && isSame(withRawData(text).rawData, wants.get('rawData')))
    return [`${path}raw_data`, ...differences(withRawData(text), whole, path)];
  const fields = [...new Set([...has.keys(), ...wants.keys()])];
  return fields.flatMap((field) => difference(has.get(field), wants.get(field), `${path}${fieldName(field)}`));
}

function difference(text: unknown, whole: unknown, path: string): string[] {
  if (isSame(text, whole)) return [];
  if (Array.isArray(text) && Array.isArray(whole) && text.length === whole.length && isMessage(whole[0]))
    return whole.flatMap((element, i) => difference(text[i], element, `${path}[${i}]`));
  if (isMessage(text) && isMessage(whole)) return differences(text, whole, `${path}.`);
  return [`${path}: ${whole === undefined ? 'null' : JSON.stringify(jsonOf(whole))}`];
}

const isMessage = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !ArrayBuffer.isView(value) &&
  !Array.isArray(value) &&
  !(value instanceof Long);

function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array)
    return a.length === b.length && a.every((byte, i) => byte === b[i]);
  if (a instanceof Long && b instanceof Long) return a.low === b.low && a.high === b.high;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((value, i) => isSame(value, b[i]));
  if (!isMessage(a) || !isMessage(b)) return Object.is(a, b);
  const [has, wants] = [fieldsOf(a), new Map(fieldsOf(b))];
  return has.length === wants.size && has.every(([field, value]) => isSame(value, wants.get(field)));
}

const CHUNK = 0x8000;

export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) parts.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  return btoa(parts.join(''));
}

export const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
