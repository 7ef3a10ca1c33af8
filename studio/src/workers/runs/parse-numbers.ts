import type { TensorValue, ValueMetadata } from 'sardonyx';
import { Tensor } from 'sardonyx';
import type { OpenSizes } from '../contracts/feeding.js';

type TensorInput = Extract<ValueMetadata, { isTensor: true }>;

/**
 * Parses typed numbers, such as `5.1, 3.5, 1.4` with any brackets, into the input's tensor. An open size that is not set follows
 * from their count. Strings are entered one per line.
 * @throws Error if they are not numbers, or their count does not fit the shape
 */
export function parseNumbers(input: TensorInput, text: string, sizes: OpenSizes): TensorValue {
  if (input.type === 'string') {
    const lines = text === '' ? [] : text.split('\n');
    return new Tensor('string', lines, shapeFor(input.shape, lines.length, sizes, 'texts'));
  }
  const words = text.split(/[\s,;[\]()]+/).filter(Boolean);
  const elements = words.map((word) => element(word, input.type));
  return new Tensor(input.type, elements as never, shapeFor(input.shape, words.length, sizes));
}

function element(word: string, type: string): number | bigint | boolean {
  if (type === 'bool' && /^(true|false)$/i.test(word)) return word.toLowerCase() === 'true';
  if (/^u?int64$/.test(type) && /^[+-]?\d+$/.test(word)) return BigInt(word);
  const number = SPECIAL[word.toLowerCase()] ?? Number(word);
  if (Number.isNaN(number) && word.toLowerCase() !== 'nan') throw new Error(`"${word}" is not a number`);
  if (/^u?int64$/.test(type)) throw new Error(`"${word}" is not an integer, and the input is ${type}`);
  return type === 'bool' ? number !== 0 : number;
}

const SPECIAL: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

/** The dims for `count` elements: the sizes set by symbol if they fit; otherwise the first open size adapts and the others are 1. */
export function shapeFor(
  shape: readonly (number | string)[],
  count: number,
  sizes: OpenSizes,
  what = 'numbers',
): number[] {
  const known = shape.map((size) => (typeof size === 'number' ? size : undefined));
  const fixed = known.reduce<number>((product, size) => product * (size ?? 1), 1);
  const open = known.indexOf(undefined);
  const set = shape.map((size) => (typeof size === 'number' ? size : (sizes.get(size) ?? 1)));
  if (product(set) === count) return set;
  if (open < 0 || fixed === 0 || count % fixed !== 0)
    throw new Error(
      `expected ${open < 0 ? fixed : `a multiple of ${fixed}`} ${what} for [${shape.join(', ')}], got ${count}`,
    );
  return known.map((size, i) => size ?? (i === open ? count / fixed : 1));
}

const product = (dims: readonly number[]): number => dims.reduce((a, b) => a * b, 1);
