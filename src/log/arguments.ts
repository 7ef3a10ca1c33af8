import { reading } from '../base/arguments.js';
import { type ErrorCode, SardonyxError } from '../base/errors.js';
import { shown } from '../base/shown.js';
import { ELEMENTS } from '../tensor/element-types.js';
import { numbersOf } from '../tensor/numbers.js';
import { isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import { channelsOf, type Samples, SIGNATURE } from './png.js';
import type { HyperParameter } from './summaries/hparams.js';

/** A tensor of a real type, or a list or typed array of numbers; 64-bit integers are rounded. */
export type Numbers = TensorValue | ArrayLike<number | bigint | boolean>;

/** Pixels, as ImageData has them, or a PNG file. */
export type LogPicture = Samples | Uint8Array;

const refused = (complaint: string, code: ErrorCode = 'INVALID_ARGUMENT') => new SardonyxError(code, complaint);

export function tagOf(tag: string): string {
  if (typeof tag === 'string' && tag.length > 0) return tag;
  throw refused(`a tag is a name such as "loss/train", not ${shown(tag)}`);
}

export function stepOf(step: number): number {
  if (Number.isSafeInteger(step) && step >= 0) return step;
  throw refused(`a step is a whole number from 0, not ${shown(step)}`);
}

export function secondsOf(wallTime: number): number {
  if (Number.isFinite(wallTime)) return wallTime;
  throw refused(`a wall time is in seconds since 1970, not ${shown(wallTime)}`);
}

export function countOf(count: number, what: string): number {
  if (Number.isInteger(count) && count >= 2 && count <= 65536) return count;
  throw refused(`${what} are a whole number from 2 to 65536, not ${shown(count)}`);
}

/** Elements of these have no order. */
const UNREAL = /^(string|complex)/;

export function numbersIn(values: Numbers, what: string): ArrayLike<number> {
  if (isTensorValue(values)) return elementsOf(values, what);
  const isList = reading(what, () => typeof values === 'object' && values !== null && values.length >= 0);
  if (!isList) throw refused(`${what} are a tensor or an array of numbers, not ${shown(values)}`);
  if (ArrayBuffer.isView(values) && typeof values[0] !== 'bigint') return values as ArrayLike<number>;
  return Float64Array.from(values as ArrayLike<number>, (x, i) => numberOf(x, `${what}: element ${i}`));
}

function elementsOf(tensor: TensorValue, what: string): ArrayLike<number> {
  if (!UNREAL.test(tensor.type) && ELEMENTS[tensor.type].array) return numbersOf(tensor);
  throw refused(`${what} are numbers, not a tensor of ${tensor.type}`, 'INVALID_TYPE');
}

function numberOf(x: unknown, what: string): number {
  if (typeof x === 'number' || typeof x === 'bigint' || typeof x === 'boolean') return Number(x);
  throw refused(`${what} is ${shown(x)}, not a number`);
}

/** A number, or the only element of a tensor, such as a model's loss. */
export function scalarOf(value: number | bigint | TensorValue): number {
  if (!isTensorValue(value)) return numberOf(value, 'a scalar');
  const numbers = elementsOf(value, 'a scalar');
  if (numbers.length === 1) return numbers[0] as number;
  throw refused(`a scalar is one number: a tensor of dims [${value.dims}] has ${numbers.length}`, 'INVALID_SHAPE');
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
  'a picture is a PNG file as a Uint8Array, ImageData, or { data, width, height } with 1 to 4 samples of 8 bits a pixel; of a tensor, await tensor.toImageData()';

export function pictureOf(picture: LogPicture): LogPicture {
  const isOne = reading('the picture', () =>
    picture instanceof Uint8Array ? isPng(picture) : isSamples(Object(picture)),
  );
  if (isOne) return picture;
  throw refused(`${PICTURES}; this is ${shown(picture)}`);
}

export function stringsOf(text: string | readonly string[]): readonly string[] {
  const strings = typeof text === 'string' ? [text] : text;
  if (Array.isArray(strings) && strings.every((one) => typeof one === 'string')) return strings;
  throw refused(`a text is a string or strings, not ${shown(text)}`);
}

export type HyperParameters = Readonly<Record<string, HyperParameter>>;

export function parametersOf(values: HyperParameters): HyperParameters {
  const entries = reading('the hyperparameters', () => Object.entries(values ?? {}));
  if (entries.length === 0) throw refused(`hyperparameters are an object, e.g. { rate: 0.1, optimizer: "adam" }`);
  for (const [name, x] of entries)
    if (!['string', 'number', 'boolean'].includes(typeof x))
      throw refused(`hyperparameter "${name}" is ${shown(x)}, not a string, a number or a boolean`);
  return Object.fromEntries(entries);
}
