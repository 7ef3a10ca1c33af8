import { onForgotten } from '../base/forgotten.js';

/**
 * Sizes: numbers, and expressions of symbols such as `batch`. Equal expressions are one object however they were written, so `===`
 * compares them. TypeScript takes an expression for a symbol, which keeps `+`, `<` and templates from compiling; the functions below
 * compute with sizes.
 */
declare const brand: unique symbol;
export type Expression = symbol & { readonly [brand]: true };
export type Size = number | Expression;

/** A symbol, or a function of sizes that is no polynomial. */
interface Atom {
  readonly id: number;
  readonly text: string;
  /** A lower bound. */
  readonly least: number;
  readonly name: string;
  /** Empty for a symbol. */
  readonly args: readonly Size[];
  /** The same function of other sizes. */
  readonly of: (...args: Size[]) => Size;
}

/** `coefficient` times the product of `factors`. */
interface Term {
  readonly coefficient: number;
  readonly factors: readonly Atom[];
}

/** A sum of terms, at least one of which has factors. */
class Polynomial {
  #text: string | undefined;

  constructor(
    readonly key: string,
    readonly terms: readonly Term[],
    readonly least: number,
  ) {}

  toString(): string {
    this.#text ??= nameOf(this.terms) ?? textOf(this.terms);
    return this.#text;
  }

  valueOf(): never {
    throw new TypeError(`the size ${this} is not a number`);
  }
}

/** One object for each key, as long as somebody holds it. */
function interned<T extends object>(known: Map<string, WeakRef<T>>, key: string, make: () => T): T {
  const found = known.get(key)?.deref();
  if (found) return found;
  const made = make();
  known.set(key, new WeakRef(made));
  onForgotten(made, forget, known, key);
  return made;
}

function forget(known: Map<string, WeakRef<object>>, key: string): void {
  if (!known.get(key)?.deref()) known.delete(key);
}

const atoms = new Map<string, WeakRef<Atom>>();
const polynomials = new Map<string, WeakRef<Polynomial>>();
let count = 0;

// Squaring a sum forty times would give 2^40 terms. Beyond these limits, a sum or product is kept as one factor.
const [MOST_TERMS, MOST_FACTORS, MOST_CHARACTERS] = [64, 16, 200];

const polynomial = (size: Expression) => size as unknown as Polynomial;
const termsOf = (size: Size): readonly Term[] =>
  typeof size === 'number' ? (size === 0 ? [] : [{ coefficient: size, factors: [] }]) : polynomial(size).terms;
const keyOf = (size: Size): string => (typeof size === 'number' ? `${size}` : polynomial(size).key);
const keyOfFactors = (factors: readonly Atom[]): string => factors.map(({ id }) => id).join('.');

/** The smallest value that a size can have; −∞ where no bound is known. */
export const lowerBound = (size: Size): number => (typeof size === 'number' ? size : polynomial(size).least);

function atom(name: string, args: readonly Size[], of: Atom['of'], least: number, text: string): Expression {
  const key = args.length > 0 ? `${name}(${args.map(keyOf)})` : `'${name}`;
  const factor = interned(atoms, key, () => {
    const id = count++;
    return {
      id,
      text: args.length > 0 && text.length > MOST_CHARACTERS ? `size${id}(…)` : text,
      least,
      name,
      args,
      of,
    };
  });
  return sum([{ coefficient: 1, factors: [factor] }]) as Expression;
}

/** A name that stands in an expression without parentheses. */
const PLAIN = /^\??-?[\p{L}\p{N}_.]+$/u;

/** The size called `name`; equal names are equal sizes. Names that start with `?` are those of unnamed sizes. */
export const symbol = (name: string): Expression =>
  atom(name, [], () => symbol(name), 0, PLAIN.test(name) ? name : `(${name})`);

/** The result of `compute` on sizes that has no closed form here, such as a scaled length. */
export function derived(name: string, args: readonly Size[], compute: (...args: number[]) => number): Size {
  if (isKnown(args)) return compute(...args);
  return atom(name, args, (...others) => derived(name, others, compute), 0, `${name}(${formatSizes(args)})`);
}

/** Adds up terms, in any order and with equal factors. */
function sum(terms: readonly Term[]): Size {
  const byFactors = new Map<string, Term>();
  for (const term of terms) {
    const key = keyOfFactors(term.factors);
    const coefficient = (byFactors.get(key)?.coefficient ?? 0) + term.coefficient;
    byFactors.set(key, { coefficient, factors: term.factors });
  }
  const left = [...byFactors].filter(([, { coefficient }]) => coefficient !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const [first] = left;
  if (!first) return 0;
  if (left.length === 1 && first[0] === '') return first[1].coefficient;
  const sorted = left.map(([, term]) => term);
  if (sorted.length > MOST_TERMS)
    return unexpanded('+', sum(sorted.slice(0, MOST_TERMS)), sum(sorted.slice(MOST_TERMS)), add);
  const key = left.map(([factors, { coefficient }]) => `${coefficient}*${factors}`).join('+');
  const least = sorted.map(leastOfTerm).reduce((a, b) => a + b);
  return interned(polynomials, key, () => new Polynomial(key, sorted, least)) as unknown as Expression;
}

/** A sum or product that is not multiplied out. */
function unexpanded(name: '+' | '*', a: Size, b: Size, of: (a: Size, b: Size) => Size): Size {
  const [x, y] = [lowerBound(a), lowerBound(b)];
  const least = name === '+' ? x + y : x >= 0 && y >= 0 ? x * y : Number.NEGATIVE_INFINITY;
  return atom(
    name,
    [a, b],
    of as Atom['of'],
    least,
    name === '+' ? `(${formatSize(a)}+${formatSize(b)})` : `${inFactor(a)}*${inFactor(b)}`,
  );
}

function leastOfTerm({ coefficient, factors }: Term): number {
  const isBounded = (coefficient > 0 || factors.length === 0) && factors.every(({ least }) => least >= 0);
  return isBounded ? factors.reduce((product, { least }) => product * least, coefficient) : Number.NEGATIVE_INFINITY;
}

export const isKnown = (sizes: readonly Size[] | undefined): sizes is readonly number[] =>
  sizes?.every((size) => typeof size === 'number') ?? false;

export function add(...sizes: readonly Size[]): Size {
  return isKnown(sizes) ? sizes.reduce((a, b) => a + b, 0) : sum(sizes.flatMap(termsOf));
}

export function subtract(a: Size, b: Size): Size {
  return typeof a === 'number' && typeof b === 'number' ? a - b : add(a, multiply(b, -1));
}

export function multiply(a: Size, b: Size): Size {
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  const [left, right] = [termsOf(a), termsOf(b)];
  if (left.length * right.length > MOST_TERMS || degreeOf(left) + degreeOf(right) > MOST_FACTORS)
    return unexpanded('*', a, b, multiply);
  return sum(left.flatMap((x) => right.map((y) => times(x, y))));
}

const degreeOf = (terms: readonly Term[]): number => Math.max(0, ...terms.map(({ factors }) => factors.length));

const times = (a: Term, b: Term): Term => ({
  coefficient: a.coefficient * b.coefficient,
  factors: [...a.factors, ...b.factors].sort((x, y) => x.id - y.id),
});

export const product = (sizes: readonly Size[]): Size =>
  isKnown(sizes) ? sizes.reduce((a, b) => a * b, 1) : sizes.reduce(multiply, 1);

/** ⌊a / b⌋, for `b` other than 0. */
export function floorDivide(a: Size, b: Size): Size {
  if (typeof a === 'number' && typeof b === 'number') return Math.floor(a / b);
  const exact = quotientOf(a, b);
  if (exact !== undefined) return exact;
  if (typeof b !== 'number' || b < 0 || !Number.isInteger(b)) return quotientAtom(a, b);
  const [whole, rest] = splitBy(termsOf(a), b);
  return add(whole, properQuotient(rest, b));
}

export const ceilDivide = (a: Size, b: Size): Size => floorDivide(add(a, b, -1), b);

/** `a` less the largest multiple of `b` that it holds. */
export const modulo = (a: Size, b: Size): Size => subtract(a, multiply(b, floorDivide(a, b)));

/** `a / b` where that leaves no remainder whatever the symbols are. */
export function quotientOf(a: Size, b: Size): Size | undefined {
  const [divisor, ...others] = termsOf(b);
  if (!divisor) return undefined;
  if (others.length > 0) {
    const factor = (termsOf(a)[0]?.coefficient ?? 0) / divisor.coefficient;
    return multiply(b, factor) === a && Number.isInteger(factor) ? factor : undefined;
  }
  const terms: Term[] = [];
  for (const { coefficient, factors } of termsOf(a)) {
    const left = without(factors, divisor.factors);
    if (!left || coefficient % divisor.coefficient !== 0) return undefined;
    terms.push({ coefficient: coefficient / divisor.coefficient, factors: left });
  }
  return sum(terms);
}

function without(factors: readonly Atom[], taken: readonly Atom[]): Atom[] | undefined {
  const left = [...factors];
  for (const each of taken) {
    const at = left.indexOf(each);
    if (at < 0) return undefined;
    left.splice(at, 1);
  }
  return left;
}

/** Multiples of `by`, divided by it, and the rest, whose coefficients are from 0 to `by` − 1. */
function splitBy(terms: readonly Term[], by: number): [whole: Size, rest: Size] {
  const whole = sum(terms.map((term) => ({ ...term, coefficient: Math.floor(term.coefficient / by) })));
  return [whole, sum(terms.map((term) => ({ ...term, coefficient: modulus(term.coefficient, by) })))];
}

const modulus = (a: number, b: number) => a - b * Math.floor(a / b);
const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
const constantIn = (terms: readonly Term[]): number =>
  terms.find(({ factors }) => factors.length === 0)?.coefficient ?? 0;

/** ⌊rest / by⌋ in lowest terms; a quotient of a quotient is one. */
function properQuotient(rest: Size, by: number): Size {
  if (typeof rest === 'number') return Math.floor(rest / by);
  const terms = termsOf(rest);
  const open = terms.filter(({ factors }) => factors.length > 0);
  const divisor = open.reduce((common, { coefficient }) => commonDivisor(common, coefficient), by);
  if (divisor > 1) {
    const reduced = sum(terms.map((term) => ({ ...term, coefficient: Math.floor(term.coefficient / divisor) })));
    return floorDivide(reduced, by / divisor);
  }
  const [only] = open as [Term];
  const [inner] = only.factors as [Atom];
  const [numerator, denominator] = inner.args;
  const isInner = open.length === 1 && only.coefficient === 1 && only.factors.length === 1 && inner.name === '/';
  if (isInner && typeof denominator === 'number')
    return floorDivide(add(numerator as Size, constantIn(terms) * denominator), by * denominator);
  return quotientAtom(rest, by);
}

function quotientAtom(a: Size, b: Size): Size {
  const [low, divisor] = [lowerBound(a), lowerBound(b)];
  const least = low >= 0 && divisor >= 0 ? (typeof b === 'number' ? Math.floor(low / b) : 0) : Number.NEGATIVE_INFINITY;
  const isCeiling = typeof b === 'number' && constantIn(termsOf(a)) === b - 1;
  const text = isCeiling ? `⌈${inFactor(subtract(a, b - 1))}/${b}⌉` : `⌊${inFactor(a)}/${inFactor(b)}⌋`;
  return atom('/', [a, b], floorDivide as Atom['of'], least, text);
}

export const minimum = (a: Size, b: Size): Size => extreme('min', minimum, a, b);
export const maximum = (a: Size, b: Size): Size => extreme('max', maximum, a, b);

function extreme(name: 'min' | 'max', of: typeof minimum, a: Size, b: Size): Size {
  const choose = Math[name];
  if (typeof a === 'number' && typeof b === 'number') return choose(a, b);
  if (isNeverAbove(a, b)) return name === 'min' ? a : b;
  if (isNeverAbove(b, a)) return name === 'min' ? b : a;
  const args = [a, b].sort((x, y) => (keyOf(x) < keyOf(y) ? -1 : 1));
  const least = choose(lowerBound(a), lowerBound(b));
  return atom(name, args, of as Atom['of'], least, `${name}(${formatSizes(args)})`);
}

/** Whether `a ≤ b` whatever the symbols are; false where that is not known. */
export const isNeverAbove = (a: Size, b: Size): boolean => lowerBound(subtract(b, a)) >= 0;

/** A size with others in place of symbols, by their names; undefined leaves a symbol as it is. */
export function substitute(size: Size, of: (name: string) => Size | undefined): Size {
  const known = new Map<Atom, Size>();
  const replaced = (each: Atom): Size => {
    const made = known.get(each) ?? (each.args.length === 0 ? of(each.name) : each.of(...each.args.map(within)));
    const result = made ?? each.of();
    known.set(each, result);
    return result;
  };
  const within = (part: Size): Size =>
    typeof part === 'number'
      ? part
      : add(...termsOf(part).map(({ coefficient, factors }) => factors.map(replaced).reduce(multiply, coefficient)));
  return within(size);
}

/** The names of all symbols in a size. */
export function symbolsIn(size: Size): string[] {
  const seen = new Set<Atom>();
  const visit = (part: Size): void => {
    for (const { factors } of termsOf(part))
      for (const each of factors) {
        if (seen.has(each)) continue;
        seen.add(each);
        each.args.forEach(visit);
      }
  };
  visit(size);
  return [...seen].filter(({ args }) => args.length === 0).map(({ name }) => name);
}

/** Whether a size depends on one that has no name. */
export const hasUnnamed = (size: Size): boolean => symbolsIn(size).some(isUnnamed);

export const isUnnamed = (name: string): boolean => name[0] === '?';

/** A size as people write it: `(sequence+1)*64`, `⌈height/2⌉`. */
export const formatSize = (size: Size | undefined): string => String(size ?? '?');

export const formatSizes = (sizes: readonly (Size | string)[]): string => sizes.map(String).join(',');

const inFactor = (size: Size): string =>
  typeof size !== 'number' && polynomial(size).terms.length > 1 ? `(${formatSize(size)})` : formatSize(size);

/** The name of a size that is a symbol and nothing more. */
function nameOf([only, ...others]: readonly Term[]): string | undefined {
  const isAlone = others.length === 0 && only?.coefficient === 1 && only.factors.length === 1;
  return isAlone && only.factors[0]?.args.length === 0 ? only.factors[0].name : undefined;
}

/** Common factors stand outside the parentheses. */
function textOf(terms: readonly Term[]): string {
  if (terms.length === 1) return textOfProduct(terms[0] as Term);
  const [{ factors }, ...others] = terms as [Term, ...Term[]];
  const common = factors.filter((each) => others.every((term) => term.factors.includes(each)));
  const number = terms.reduce((divisor, { coefficient }) => commonDivisor(divisor, Math.abs(coefficient)), 0);
  if (number === 1 && common.length === 0) return textOfSum(terms);
  const inner = terms.map(({ coefficient, factors }) => ({
    coefficient: coefficient / number,
    factors: without(factors, [...new Set(common)]) as Atom[],
  }));
  const outer = [...new Set(common)].map(({ text }) => text).sort();
  return [`(${textOfSum(inner)})`, ...(number === 1 ? [] : [number]), ...outer].join('*');
}

/** By name, with numbers and what is taken off last. */
function textOfSum(terms: readonly Term[]): string {
  const rank = ({ coefficient, factors }: Term) => Number(factors.length === 0) + 2 * Number(coefficient < 0);
  const texts = terms.map((term): [number, string] => [rank(term), textOfProduct(term)]);
  texts.sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1));
  return texts
    .map(([, text]) => text)
    .join('+')
    .replaceAll('+-', '-');
}

function textOfProduct({ coefficient, factors }: Term): string {
  const names = factors
    .map(({ text }) => text)
    .sort()
    .join('*');
  if (factors.length === 0) return `${coefficient}`;
  return coefficient === 1 ? names : coefficient === -1 ? `-${names}` : `${coefficient}*${names}`;
}
