import { UsageError } from './usage-error.js';

/** Parsers of option values. */

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`"${text}" is not a non-negative integer`);
  return Number(text);
}

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new UsageError(`"${text}" is not a positive number`);
  return value;
}

export function atLeastOne(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new UsageError('must be at least 1');
  return value;
}

/** 0 means one per core. */
export function threadCount(text: string): number {
  const value = wholeNumber(text);
  if (value > 256) throw new UsageError(`"${text}" is not an integer from 0 to 256`);
  return value;
}

const PROVIDERS = ['wasm', 'reference'] as const;

export type ProviderName = (typeof PROVIDERS)[number];

/** Execution providers in order of preference: `reference`, or `reference,wasm`. */
export function providers(text: string): ProviderName[] {
  return text.split(',').map((name) => {
    const provider = PROVIDERS.find((known) => known === name);
    if (!provider) throw new UsageError(`there is no execution provider "${name}"; use ${PROVIDERS.join(' or ')}`);
    return provider;
  });
}

/** A number of elements, or all of them. */
export function numberOrAll(text: string): number {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (!/^\d+$/.test(text)) throw new UsageError(`"${text}" is neither an integer nor "all"`);
  return Number(text);
}

/** `1x3x224x224`; the empty text is a scalar. */
export function dims(text: string): number[] {
  if (text === '') return [];
  if (!/^\d+([x,]\d+)*$/.test(text)) throw new UsageError(`"${text}" is not a shape such as 1x3x224x224`);
  return text.split(/[x,]/).map(Number);
}

export function numbers(text: string): number[] {
  const values = text.split(',').map(Number);
  if (text === '' || values.some(Number.isNaN)) throw new UsageError(`"${text}" is not a list such as 0.5,0.5,0.5`);
  return values;
}

/** All values of a repeatable option, as typed. */
export const collected = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text];

/** A parsed `NAME=VALUE`. */
export interface Assignment<T> {
  readonly text: string;
  /** '' for a value without a name. */
  readonly name: string;
  readonly value: T;
}

/** A parser of repeatable `NAME=VALUE`, or with `anonymous` of `VALUE`; names may contain equals signs, values may not. */
export const assigned =
  <T>(parse: (text: string) => T, { anonymous = false } = {}) =>
  (text: string, earlier: readonly Assignment<T>[] = []): readonly Assignment<T>[] => {
    const equals = text.lastIndexOf('=');
    if (equals < 0 && !anonymous) throw new UsageError('expected NAME=VALUE');
    return [...earlier, { text, name: text.slice(0, Math.max(0, equals)), value: parse(text.slice(equals + 1)) }];
  };

/** Splits `NAME=REST` after the longest matching name. Names may contain equals signs. */
export function splitByName(text: string, names: readonly string[]): { readonly name?: string; readonly rest: string } {
  const fitting = names.filter((name) => text.startsWith(`${name}=`)).sort((a, b) => b.length - a.length);
  const [name] = fitting;
  return name === undefined ? { rest: text } : { name, rest: text.slice(name.length + 1) };
}
