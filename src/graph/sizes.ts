import { onForgotten } from '../base/forgotten.js';

/**
 * A size is a number, or an expression of symbols such as `batch`. Expressions are interned: equal ones are one object,
 * however they were written, so that `===` compares them. TypeScript sees them as symbols, so that `+`, `<` and
 * templates do not compile; the functions below compute with them.
 */
declare const brand: unique symbol;
export type Expression = symbol & { readonly [brand]: true };
export type Size = number | Expression;

/** A symbol, or a function of sizes that is not a polynomial. */
interface Atom {
  readonly id: number;
  readonly name: string;
  /** Empty for a symbol. */
  readonly args: readonly Size[];
  /** Applies the function to other sizes. */
  readonly of: (...args: Size[]) => Size;
  /** A lower bound. */
  readonly least: number;
  readonly write: () => string;
  text: string | undefined;
  /** Nesting depth of functions. */
  readonly depth: number;
  /** Atoms, products and polynomials whose newest atom this is; all stay alive as long as one of them does. */
  readonly atoms: Map<string, Atom>;
  readonly monomials: Map<string, Monomial>;
  readonly polynomials: Map<string, Polynomial>;
}

/** A product of atoms, in the order of their ids; the empty product is 1. */
interface Monomial {
  readonly id: number;
  readonly factors: readonly Atom[];
  readonly least: number;
}

interface Term {
  readonly coefficient: number;
  readonly monomial: Monomial;
}

/** A sum of terms in the order of their monomials, at least one of which has factors. */
class Polynomial {
  #text: string | undefined;

  constructor(
    readonly id: number,
    readonly terms: readonly Term[],
    readonly newest: Atom,
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

/** Symbols by name, held weakly. */
const symbols = new Map<string, WeakRef<Atom>>();
let count = 0;
const ONE: Monomial = { id: count++, factors: [], least: 1 };

// Squaring a sum forty times would give 2^40 terms. Beyond these limits, a sum or product is kept as one factor.
const [MOST_TERMS, MOST_FACTORS] = [64, 16];
const [MOST_CHARACTERS, MOST_DEPTH] = [200, 100];

const polynomial = (size: Expression) => size as unknown as Polynomial;
const termsOf = (size: Size): readonly Term[] =>
  typeof size === 'number' ? (size === 0 ? [] : [{ coefficient: size, monomial: ONE }]) : polynomial(size).terms;
/** A string that is equal only for equal sizes. */
export const keyOf = (size: Size): string => (typeof size === 'number' ? `${size}` : `#${polynomial(size).id}`);

/** The smallest value that a size can have; −∞ where no bound is known. */
export const lowerBound = (size: Size): number => (typeof size === 'number' ? size : polynomial(size).least);

const newer = (a: Atom | undefined, b: Atom | undefined): Atom | undefined => ((a?.id ?? -1) > (b?.id ?? -1) ? a : b);
const newestIn = (sizes: readonly Size[]): Atom | undefined =>
  sizes.reduce<Atom | undefined>(
    (all, size) => newer(all, typeof size === 'number' ? undefined : polynomial(size).newest),
    undefined,
  );

type Made = Pick<Atom, 'name' | 'args' | 'of' | 'least' | 'write'>;

function newAtom(made: Made): Atom {
  const depth = 1 + (newestDepth(made.args) ?? 0);
  return {
    ...made,
    id: count++,
    text: undefined,
    depth,
    atoms: new Map(),
    monomials: new Map(),
    polynomials: new Map(),
  };
}

function newestDepth(args: readonly Size[]): number {
  let depth = 0;
  for (const arg of args)
    for (const { monomial } of typeof arg === 'number' ? [] : termsOf(arg))
      for (const factor of monomial.factors) depth = Math.max(depth, factor.depth);
  return depth;
}

const alone = (factor: Atom): Expression =>
  interned([{ coefficient: 1, monomial: monomialOf([factor]) }]) as unknown as Expression;

/** A function of sizes, at least one of which is an expression. */
function functionOf(made: Made): Expression {
  const { atoms } = newestIn(made.args) as Atom;
  const key = `${made.name}(${made.args.map(keyOf)})`;
  const known = atoms.get(key) ?? newAtom(made);
  atoms.set(key, known);
  return alone(known);
}

/** A name that needs no parentheses in an expression. */
const PLAIN = /^\??-?[\p{L}\p{N}_.]+$/u;

/** The size called `name`; equal names are equal sizes. Names of unnamed sizes start with `?`. */
export function symbol(name: string): Expression {
  const known = symbols.get(name)?.deref();
  if (known) return alone(known);
  const write = () => (PLAIN.test(name) ? name : `(${name})`);
  const made = newAtom({ name, args: [], of: add, least: 0, write });
  symbols.set(name, new WeakRef(made));
  onForgotten(made, forget, name);
  return alone(made);
}

/** A new symbol with the lower bound `least`, distinct from other symbols called `name`. */
export const freshSymbol = (name: string, least: number): Expression =>
  alone(newAtom({ name, args: [], of: add, least, write: () => name }));

function forget(name: string): void {
  if (!symbols.get(name)?.deref()) symbols.delete(name);
}

function textOfAtom(atom: Atom): string {
  if (atom.text === undefined) {
    const text = atom.depth > MOST_DEPTH ? '' : atom.write();
    const isShort = text !== '' && (atom.args.length === 0 || text.length <= MOST_CHARACTERS);
    atom.text = isShort ? text : `size${atom.id}(…)`;
  }
  return atom.text;
}

/** The size that `compute` returns, without a closed form here, such as a scaled length. */
export function derived(name: string, args: readonly Size[], compute: (...args: number[]) => number): Size {
  if (isKnown(args)) return compute(...args);
  const of: Atom['of'] = (...others) => derived(name, others, compute);
  return functionOf({ name, args, of, least: 0, write: () => `${name}(${formatSizes(args)})` });
}

function monomialOf(factors: readonly Atom[]): Monomial {
  const newest = factors.at(-1);
  if (!newest) return ONE;
  const key = factors.length === 1 ? '' : factors.map(({ id }) => id).join('.');
  const known = newest.monomials.get(key);
  if (known) return known;
  const least = factors.reduce((all, each) => (each.least >= 0 ? all * each.least : Number.NEGATIVE_INFINITY), 1);
  const made = { id: count++, factors, least: Number.isNaN(least) ? Number.NEGATIVE_INFINITY : least };
  newest.monomials.set(key, made);
  return made;
}

/** The interned sum of sorted terms, at least one of which has factors. */
function interned(terms: readonly Term[]): Polynomial {
  let [newest, key]: [Atom | undefined, string] = [undefined, ''];
  for (const { coefficient, monomial } of terms) {
    newest = newer(newest, monomial.factors.at(-1));
    key += `${monomial.id}*${coefficient}+`;
  }
  const owner = newest as Atom;
  const known = owner.polynomials.get(key);
  if (known) return known;
  const least = terms.reduce((all, term) => all + leastOfTerm(term), 0);
  const made = new Polynomial(count++, terms, owner, least);
  owner.polynomials.set(key, made);
  return made;
}

/** The sum of sorted terms with distinct monomials. */
function sumInOrder(terms: readonly Term[]): Size {
  const [first] = terms;
  if (!first) return 0;
  if (terms.length === 1 && first.monomial === ONE) return first.coefficient;
  if (terms.length > MOST_TERMS)
    return unexpanded('+', sumInOrder(terms.slice(0, MOST_TERMS)), sumInOrder(terms.slice(MOST_TERMS)), add);
  return interned(terms) as unknown as Expression;
}

/** The sum of terms in any order, whose monomials may repeat. */
function sum(terms: readonly Term[]): Size {
  const sorted = terms.toSorted((a, b) => a.monomial.id - b.monomial.id);
  const added: Term[] = [];
  for (const term of sorted) {
    const last = added.at(-1);
    if (last?.monomial !== term.monomial) added.push(term);
    else added[added.length - 1] = { coefficient: last.coefficient + term.coefficient, monomial: last.monomial };
  }
  return sumInOrder(added.filter(({ coefficient }) => coefficient !== 0));
}

/** `a` + `factor` · `b`. */
function addScaled(a: readonly Term[], b: readonly Term[], factor: number): Size {
  const added: Term[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const [x, y] = [a[i], b[j]];
    if (x && (!y || x.monomial.id < y.monomial.id)) {
      added.push(x);
      i++;
      continue;
    }
    const { monomial, coefficient } = y as Term;
    const isShared = x?.monomial === monomial;
    const total = (isShared ? x.coefficient : 0) + factor * coefficient;
    if (total !== 0) added.push({ coefficient: total, monomial });
    j++;
    if (isShared) i++;
  }
  return sumInOrder(added);
}

/** A sum or product that is not expanded. */
function unexpanded(name: '+' | '*', a: Size, b: Size, of: (a: Size, b: Size) => Size): Size {
  const [x, y] = [lowerBound(a), lowerBound(b)];
  const least = name === '+' ? x + y : x >= 0 && y >= 0 ? x * y : Number.NEGATIVE_INFINITY;
  const write = () => (name === '+' ? `(${formatSize(a)}+${formatSize(b)})` : `${inFactor(a)}*${inFactor(b)}`);
  return functionOf({ name, args: [a, b], of: of as Atom['of'], least, write });
}

const leastOfTerm = ({ coefficient, monomial }: Term): number =>
  monomial === ONE
    ? coefficient
    : coefficient > 0 && monomial.least >= 0
      ? coefficient * monomial.least
      : Number.NEGATIVE_INFINITY;

export const isExpression = (x: unknown): x is Expression => x instanceof Polynomial;

export const isKnown = (sizes: readonly Size[] | undefined): sizes is readonly number[] =>
  sizes?.every((size) => typeof size === 'number') ?? false;

export function add(...sizes: readonly Size[]): Size {
  let total: Size = 0;
  for (const size of sizes) {
    if (typeof total === 'number' && typeof size === 'number') total += size;
    else if (size !== 0) total = total === 0 ? size : addScaled(termsOf(total), termsOf(size), 1);
  }
  return total;
}

export function subtract(a: Size, b: Size): Size {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return a === b ? 0 : addScaled(termsOf(a), termsOf(b), -1);
}

export function multiply(a: Size, b: Size): Size {
  if (typeof a === 'number') return typeof b === 'number' ? a * b : scaled(b, a);
  if (typeof b === 'number') return scaled(a, b);
  const [left, right] = [termsOf(a), termsOf(b)];
  if (left.length * right.length > MOST_TERMS || degreeOf(left) + degreeOf(right) > MOST_FACTORS)
    return unexpanded('*', a, b, multiply);
  const terms = left.flatMap((x) => right.map((y) => times(x, y)));
  return terms.length === 1 ? sumInOrder(terms) : sum(terms);
}

function scaled(size: Expression, by: number): Size {
  if (by === 1) return size;
  return by === 0
    ? 0
    : sumInOrder(termsOf(size).map(({ coefficient, monomial }) => ({ coefficient: coefficient * by, monomial })));
}

const degreeOf = (terms: readonly Term[]): number =>
  terms.reduce((most, { monomial }) => Math.max(most, monomial.factors.length), 0);

const times = (a: Term, b: Term): Term => ({
  coefficient: a.coefficient * b.coefficient,
  monomial:
    a.monomial === ONE
      ? b.monomial
      : b.monomial === ONE
        ? a.monomial
        : monomialOf([...a.monomial.factors, ...b.monomial.factors].sort((x, y) => x.id - y.id)),
});

export const product = (sizes: readonly Size[]): Size =>
  isKnown(sizes) ? sizes.reduce((a, b) => a * b, 1) : sizes.reduce(multiply, 1);

/** ⌊a / b⌋, for `b` other than 0. */
export function floorDivide(a: Size, b: Size): Size {
  if (typeof a === 'number' && typeof b === 'number') return Math.floor(a / b);
  const exact = quotientOf(a, b);
  if (exact !== undefined) return exact;
  if (typeof b !== 'number' || b < 0 || !Number.isInteger(b)) return quotientAtom(a, b);
  const [whole, rest] = splitBy(a, b);
  return add(whole, properQuotient(rest, b));
}

/** ⌈a / b⌉, for `b` above 0. */
export function ceilDivide(a: Size, b: Size): Size {
  if (typeof b === 'number') return floorDivide(add(a, b - 1), b);
  const exact = quotientOf(a, b);
  if (exact !== undefined) return exact;
  const least = lowerBound(a) > 0 ? 1 : lowerBound(a) === 0 ? 0 : Number.NEGATIVE_INFINITY;
  const write = () => `⌈${inFactor(a)}/${inDivisor(b)}⌉`;
  return functionOf({ name: 'ceil', args: [a, b], of: ceilDivide as Atom['of'], least, write });
}

/** `a` minus the largest multiple of `b` that fits into it. */
export const modulo = (a: Size, b: Size): Size => subtract(a, multiply(b, floorDivide(a, b)));

/** `a / b` if there is no remainder, whatever the symbols are. */
export function quotientOf(a: Size, b: Size): Size | undefined {
  if (typeof a === 'number' && typeof b === 'number') return Number.isInteger(a / b) ? a / b : undefined;
  const [divisor, ...others] = termsOf(b);
  if (!divisor) return undefined;
  if (others.length > 0) {
    const factor = (termsOf(a)[0]?.coefficient ?? 0) / divisor.coefficient;
    return multiply(b, factor) === a && Number.isInteger(factor) ? factor : undefined;
  }
  const terms: Term[] = [];
  for (const { coefficient, monomial } of termsOf(a)) {
    const left = without(monomial.factors, divisor.monomial.factors);
    if (!left || coefficient % divisor.coefficient !== 0) return undefined;
    terms.push({ coefficient: coefficient / divisor.coefficient, monomial: monomialOf(left) });
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

/** The quotient of `size` by `by`, and the remainder, whose coefficients are from 0 to `by` − 1. */
function splitBy(size: Size, by: number): [whole: Size, rest: Size] {
  const terms = termsOf(size);
  if (terms.every(({ coefficient }) => coefficient >= 0 && coefficient < by)) return [0, size];
  const each = (of: (coefficient: number) => number) =>
    sumInOrder(terms.map((term) => ({ ...term, coefficient: of(term.coefficient) })).filter(isNotZero));
  return [each((coefficient) => Math.floor(coefficient / by)), each((coefficient) => modulus(coefficient, by))];
}

const isNotZero = ({ coefficient }: Term) => coefficient !== 0;
const modulus = (a: number, b: number) => a - b * Math.floor(a / b);
const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
const constantIn = (terms: readonly Term[]): number => (terms[0]?.monomial === ONE ? terms[0].coefficient : 0);

/** ⌊rest / by⌋ in lowest terms; a quotient of a quotient becomes one quotient. */
function properQuotient(rest: Size, by: number): Size {
  if (typeof rest === 'number') return Math.floor(rest / by);
  const terms = termsOf(rest);
  const open = terms.filter(({ monomial }) => monomial !== ONE);
  const divisor = open.reduce((common, { coefficient }) => commonDivisor(common, coefficient), by);
  if (divisor > 1) {
    const reduced = sumInOrder(
      terms.map((term) => ({ ...term, coefficient: Math.floor(term.coefficient / divisor) })).filter(isNotZero),
    );
    return floorDivide(reduced, by / divisor);
  }
  const [only] = open as [Term];
  const [inner] = only.monomial.factors as [Atom];
  const [numerator, denominator] = inner.args;
  const isInner =
    open.length === 1 && only.coefficient === 1 && only.monomial.factors.length === 1 && inner.name === '/';
  if (isInner && typeof denominator === 'number')
    return floorDivide(add(numerator as Size, constantIn(terms) * denominator), by * denominator);
  return quotientAtom(rest, by);
}

function quotientAtom(a: Size, b: Size): Size {
  const [low, divisor] = [lowerBound(a), lowerBound(b)];
  const least = low >= 0 && divisor >= 0 ? (typeof b === 'number' ? Math.floor(low / b) : 0) : Number.NEGATIVE_INFINITY;
  return functionOf({
    name: '/',
    args: [a, b],
    of: floorDivide as Atom['of'],
    least,
    write: () => textOfQuotient(a, b),
  });
}

function textOfQuotient(a: Size, b: Size): string {
  const isCeiling = typeof b === 'number' && constantIn(termsOf(a)) === b - 1;
  return isCeiling ? `⌈${inFactor(subtract(a, b - 1))}/${b}⌉` : `⌊${inFactor(a)}/${inDivisor(b)}⌋`;
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
  return functionOf({ name, args, of: of as Atom['of'], least, write: () => `${name}(${formatSizes(args)})` });
}

/** Whether `a ≤ b` whatever the symbols are; false if unknown. */
export const isNeverAbove = (a: Size, b: Size): boolean => lowerBound(subtract(b, a)) >= 0;

/** Replaces symbols of a size by name; those for which `of` returns undefined stay. */
export function substitute(size: Size, of: (name: string) => Size | undefined): Size {
  const known = new Map<Atom, Size>();
  const replaced = (each: Atom): Size => {
    const made = known.get(each) ?? (each.args.length === 0 ? of(each.name) : each.of(...each.args.map(within)));
    const result = made ?? alone(each);
    known.set(each, result);
    return result;
  };
  const within = (part: Size): Size =>
    typeof part === 'number'
      ? part
      : add(
          ...termsOf(part).map(({ coefficient, monomial }) =>
            monomial.factors.map(replaced).reduce(multiply, coefficient),
          ),
        );
  return within(size);
}

/** The names of all symbols in a size. */
export function symbolsIn(size: Size): string[] {
  const seen = new Set<Atom>();
  const visit = (part: Size): void => {
    for (const { monomial } of termsOf(part))
      for (const each of monomial.factors) {
        if (seen.has(each)) continue;
        seen.add(each);
        each.args.forEach(visit);
      }
  };
  visit(size);
  return [...seen].filter(({ args }) => args.length === 0).map(({ name }) => name);
}

/** A factor of a term: a symbol, which has no arguments, or a function of sizes. */
export type Factor = Pick<Atom, 'name' | 'args' | 'of'>;

/** The terms of an expression, which is their sum. */
export const termsIn = (size: Expression): readonly { coefficient: number; factors: readonly Factor[] }[] =>
  termsOf(size).map(({ coefficient, monomial }) => ({ coefficient, factors: monomial.factors }));

/** Whether a size depends on an unnamed one. */
export const hasUnnamed = (size: Size): boolean => symbolsIn(size).some(isUnnamed);

export const isUnnamed = (name: string): boolean => name[0] === '?';

/** A size as people write it: `(sequence+1)*64`, `⌈height/2⌉`. */
export const formatSize = (size: Size | undefined): string => String(size ?? '?');

export const formatSizes = (sizes: readonly (Size | string)[]): string => sizes.map(String).join(',');

const inFactor = (size: Size): string =>
  typeof size !== 'number' && polynomial(size).terms.length > 1 ? `(${formatSize(size)})` : formatSize(size);

const inDivisor = (size: Size): string => {
  if (typeof size === 'number') return formatSize(size);
  const [first, ...others] = termsIn(size);
  const isFactor = others.length === 0 && first?.coefficient === 1 && first.factors.length === 1;
  return isFactor ? formatSize(size) : `(${formatSize(size)})`;
};

/** The name of a size that is just a symbol. */
function nameOf([only, ...others]: readonly Term[]): string | undefined {
  const isAlone = others.length === 0 && only?.coefficient === 1 && only.monomial.factors.length === 1;
  const [factor] = only?.monomial.factors ?? [];
  return isAlone && factor?.args.length === 0 ? factor.name : undefined;
}

/** Writes common factors outside the parentheses. */
function textOf(terms: readonly Term[]): string {
  if (terms.length === 1) return textOfProduct(terms[0] as Term);
  const [first, ...others] = terms as [Term, ...Term[]];
  const common = first.monomial.factors.filter((each) =>
    others.every(({ monomial }) => monomial.factors.includes(each)),
  );
  const number = terms.reduce((divisor, { coefficient }) => commonDivisor(divisor, Math.abs(coefficient)), 0);
  if (number === 1 && common.length === 0) return textOfSum(terms);
  const inner = terms.map(({ coefficient, monomial }) => ({
    coefficient: coefficient / number,
    monomial: monomialOf(without(monomial.factors, [...new Set(common)]) as Atom[]),
  }));
  const outer = [...new Set(common)].map(textOfAtom).sort();
  return [`(${textOfSum(inner)})`, ...(number === 1 ? [] : [number]), ...outer].join('*');
}

/** Sorts terms by name, with numbers and negative terms last. */
function textOfSum(terms: readonly Term[]): string {
  const rank = ({ coefficient, monomial }: Term) => Number(monomial === ONE) + 2 * Number(coefficient < 0);
  const texts = terms.map((term): [number, string] => [rank(term), textOfProduct(term)]);
  texts.sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1));
  return texts
    .map(([, text]) => text)
    .join('+')
    .replaceAll('+-', '-');
}

function textOfProduct({ coefficient, monomial }: Term): string {
  if (monomial === ONE) return `${coefficient}`;
  const names = monomial.factors.map(textOfAtom).sort().join('*');
  return coefficient === 1 ? names : coefficient === -1 ? `-${names}` : `${coefficient}*${names}`;
}
