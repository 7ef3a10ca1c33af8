import { reading } from '../base/arguments.js';
import { type ErrorCode, SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import { ELEMENTS } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import { isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import { channelsOf, type Samples, SIGNATURE } from './png.js';
import type { HyperParameter } from './summaries/hparams.js';

/** Numeric values: a tensor of a real type, an array, or a typed array. 64-bit integers are rounded to doubles. */
export type Numbers = TensorValue | ArrayLike<number | bigint | boolean>;

/** An image: `ImageData`, raw pixels, or a PNG file. */
export type LogPicture = Samples | Uint8Array;

const refused = (complaint: string, code: ErrorCode = 'INVALID_ARGUMENT') => new SardonyxError(code, complaint);

export function tagOf(tag: string): string {
  if (typeof tag === 'string' && tag.length > 0) return tag;
  throw refused(`tag: expected a name such as "loss/train", got ${shown(tag)}`);
}

export function stepOf(step: number): number {
  if (Number.isSafeInteger(step) && step >= 0) return step;
  throw refused(`step: expected a non-negative integer, got ${shown(step)}`);
}

export function secondsOf(wallTime: number): number {
  if (Number.isFinite(wallTime)) return wallTime;
  throw refused(`wallTime: expected seconds since 1970, got ${shown(wallTime)}`);
}

export function countOf(count: number, what: string): number {
  if (Number.isInteger(count) && count >= 2 && count <= 65536) return count;
  throw refused(`${what}: expected an integer from 2 to 65536, got ${shown(count)}`);
}

/** Types whose elements have no order. */
const UNREAL = /^(string|complex)/;

export function numbersIn(values: Numbers, what: string): ArrayLike<number> {
  if (isTensorValue(values)) return elementsOf(values, what);
  const isList = reading(what, () => typeof values === 'object' && values !== null && values.length >= 0);
  if (!isList) throw refused(`${what}: expected a tensor or an array of numbers, got ${shown(values)}`);
  if (ArrayBuffer.isView(values) && typeof values[0] !== 'bigint') return values as ArrayLike<number>;
  return Float64Array.from(values as ArrayLike<number>, (x, i) => numberOf(x, `${what}: element ${i}`));
}

function elementsOf(tensor: TensorValue, what: string): ArrayLike<number> {
  if (!UNREAL.test(tensor.type) && ELEMENTS[tensor.type].array) return numbersOf(tensor);
  throw refused(`${what}: expected a tensor of real numbers, got a ${tensor.type} tensor`, 'INVALID_TYPE');
}

function numberOf(x: unknown, what: string): number {
  if (typeof x === 'number' || typeof x === 'bigint' || typeof x === 'boolean') return Number(x);
  throw refused(`${what}: expected a number, got ${shown(x)}`);
}

/** A number, or the only element of a tensor, such as a model's loss. */
export function scalarOf(value: number | bigint | TensorValue): number {
  if (!isTensorValue(value)) return numberOf(value, 'scalar');
  const numbers = elementsOf(value, 'scalar');
  if (numbers.length === 1) return numbers[0] as number;
  throw refused(`scalar: expected one element, got ${numbers.length} (shape [${value.dims}])`, 'INVALID_SHAPE');
}

const MAX_SIDE = 2 ** 24;
const isSide = (size: number) => Number.isInteger(size) && size > 0 && size <= MAX_SIDE;

const isPng = (bytes: Uint8Array) => bytes.length > 25 && SIGNATURE.every((byte, i) => bytes[i] === byte);

function isSamples(picture: Samples): boolean {
  const { data, width, height } = picture;
  const isOfBytes = data instanceof Uint8ClampedArray || data instanceof Uint8Array;
  return isOfBytes && isSide(width) && isSide(height) && [1, 2, 3, 4].includes(channelsOf(picture));
}

const PICTURES =
  'image: expected a PNG file as a Uint8Array, ImageData, or { data, width, height } with 1 to 4 channels of 8 bits; for a tensor, use await tensor.toImageData()';

export function pictureOf(picture: LogPicture): LogPicture {
  const isOne = reading('the picture', () =>
    picture instanceof Uint8Array ? isPng(picture) : isSamples(Object(picture)),
  );
  if (isOne) return picture;
  throw refused(`${PICTURES}; got ${shown(picture)}`);
}

export function stringsOf(text: string | readonly string[]): readonly string[] {
  const strings = typeof text === 'string' ? [text] : text;
  if (Array.isArray(strings) && strings.every((one) => typeof one === 'string')) return strings;
  throw refused(`text: expected a string or an array of strings, got ${shown(text)}`);
}

/** Hyperparameters by name. */
export type HyperParameters = Readonly<Record<string, HyperParameter>>;

export function parametersOf(values: HyperParameters): HyperParameters {
  const entries = reading('the hyperparameters', () => Object.entries(values ?? {}));
  if (entries.length === 0)
    throw refused('hyperparameters: expected an object such as { rate: 0.1, optimizer: "adam" }');
  for (const [name, x] of entries)
    if (!['string', 'number', 'boolean'].includes(typeof x))
      throw refused(`hyperparameter "${name}": expected a string, a number or a boolean, got ${shown(x)}`);
  return Object.fromEntries(entries);
}
