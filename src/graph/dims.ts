import type { Dim } from './types.js';

export const isKnown = (dims: readonly Dim[] | undefined): dims is readonly number[] =>
  dims?.every((d) => typeof d === 'number') ?? false;

/** Whether two sizes are known not to be the same. */
export const differ = (a: Dim | undefined, b: Dim | undefined): boolean =>
  typeof a === 'number' && typeof b === 'number' && a !== b;

export const sameDims = (a: readonly Dim[], b: readonly Dim[]): boolean =>
  a.length === b.length && a.every((d, i) => d === b[i]);

/** The dims that both broadcast to, by numpy's rule; a string says what does not fit. */
export function broadcast(a: readonly Dim[], b: readonly Dim[]): Dim[] | string {
  const rank = Math.max(a.length, b.length);
  const result: Dim[] = [];
  for (let i = 0; i < rank; i++) {
    const x = a[a.length - rank + i] ?? 1;
    const y = b[b.length - rank + i] ?? 1;
    if (x === y || y === 1) result.push(x);
    else if (x === 1) result.push(y);
    else if (typeof x === 'number' && typeof y === 'number')
      return `[${a}] and [${b}] do not broadcast: ${x} against ${y}`;
    // An unknown size beside a known one above 1 can only be that size or 1; of two unknown ones, either may be 1.
    else result.push(typeof x === 'number' ? x : typeof y === 'number' ? y : `(${[x, y].sort().join('|')})`);
  }
  return result;
}

/** Product of sizes; a symbol expression where some are symbols. */
export function product(dims: readonly Dim[]): Dim {
  let factor = 1;
  const symbols: string[] = [];
  for (const d of dims) {
    if (typeof d === 'number') factor *= d;
    else symbols.push(d);
  }
  if (symbols.length === 0 || factor === 0) return factor;
  const name = symbols.sort().join('*');
  return factor === 1 ? name : `${factor}*${name}`;
}

/** What is left of the sum `whole`, as `(a+b)` is written, without its term `part`; undefined where that is not known. */
export function remainder(whole: Dim, part: Dim): Dim | undefined {
  if (part === 0) return whole;
  if (typeof whole === 'number' || typeof part === 'number')
    return typeof whole === typeof part ? Number(whole) - Number(part) : undefined;
  const terms = termsOf(whole);
  const at = terms.indexOf(part);
  if (at < 0 || terms.length === 1) return undefined;
  const rest = terms.toSpliced(at, 1);
  return rest.length === 1 ? (rest[0] as string) : `(${rest.join('+')})`;
}

/** The terms of a sum in parentheses; anything else is its own only term. */
function termsOf(symbol: string): string[] {
  if (symbol[0] !== '(') return [symbol];
  const terms = [''];
  let depth = 0;
  for (const [i, character] of [...symbol].entries()) {
    depth += Number(character === '(') - Number(character === ')');
    if (depth === 0 && i < symbol.length - 1) return [symbol];
    if (depth === 1 && character === '+') terms.push('');
    else if (i > 0 && depth > 0) terms.push(`${terms.pop()}${character}`);
  }
  return terms;
}

/** `f` of sizes, or the symbol that names the result where one of them is a symbol. */
export function derived(name: string, dims: readonly Dim[], f: (...sizes: number[]) => number): Dim {
  return isKnown(dims) ? f(...dims) : `${name}(${dims.join(',')})`;
}

/** Axis counted from 0, or a message where it is out of range. */
export const normalAxis = (axis: number, rank: number): number | string =>
  axis >= -rank && axis < rank ? (axis < 0 ? axis + rank : axis) : `axis ${axis} is outside −${rank}…${rank - 1}`;

/** Row-major strides in elements. */
export function stridesOf(dims: readonly number[]): number[] {
  const strides = new Array<number>(dims.length);
  let stride = 1;
  for (let i = dims.length - 1; i >= 0; i--) {
    strides[i] = stride;
    stride *= dims[i] as number;
  }
  return strides;
}

/** Row-major coordinates of every place in `dims`. */
export function coordinatesIn(dims: readonly number[]): number[][] {
  let places: number[][] = [[]];
  for (const size of dims) places = places.flatMap((place) => Array.from({ length: size }, (_, i) => [...place, i]));
  return places;
}

/** Strides over `dims` of a dense tensor of shape `shape`, broadcast as ONNX does: shapes aligned at their ends. */
export function broadcastStrides(shape: readonly number[], dims: readonly number[]): number[] {
  const strides = new Array<number>(dims.length).fill(0);
  let step = 1;
  for (let d = shape.length - 1; d >= 0; d--) {
    const dim = shape[d] as number;
    if (dim !== 1) strides[d + dims.length - shape.length] = step;
    step *= dim;
  }
  return strides;
}
