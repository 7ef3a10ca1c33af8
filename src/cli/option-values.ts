import { UsageError } from './usage-error.js';

/** Option values in the forms that people type; each parser says what it would have accepted. */

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`"${text}" is not a whole number`);
  return Number(text);
}

export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0) || !Number.isFinite(value)) throw new UsageError(`"${text}" is not a number above 0`);
  return value;
}

export function atLeastOne(text: string): number {
  const value = wholeNumber(text);
  if (value === 0) throw new UsageError('must be at least 1');
  return value;
}

/** 0 stands for one per core. */
export function threadCount(text: string): number {
  const value = wholeNumber(text);
  if (value > 256) throw new UsageError(`"${text}" is not a whole number from 0 to 256`);
  return value;
}

const PROVIDERS = ['wasm', 'reference'] as const;

export type ProviderName = (typeof PROVIDERS)[number];

/** Execution providers in the order in which nodes are offered to them: `reference`, or `reference,wasm`. */
export function providers(text: string): ProviderName[] {
  return text.split(',').map((name) => {
    const provider = PROVIDERS.find((known) => known === name);
    if (!provider) throw new UsageError(`"${name}" is none of the providers ${PROVIDERS.join(', ')}`);
    return provider;
  });
}

/** A number of elements, or all of them. */
export function numberOrAll(text: string): number {
  if (text === 'all') return Number.POSITIVE_INFINITY;
  if (!/^\d+$/.test(text)) throw new UsageError(`"${text}" is neither a whole number nor "all"`);
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

/** All values of an option that may be repeated, as they were typed. */
export const collected = (text: string, earlier: readonly string[] = []): readonly string[] => [...earlier, text];

/** `NAME=VALUE` as it was typed, and what it says. */
export interface Assignment<T> {
  readonly text: string;
  /** '' where only a value is given. */
  readonly name: string;
  readonly value: T;
}

/** A parser of repeated `NAME=VALUE`, where no value has an equals sign; `VALUE` alone if it may be `anonymous`. */
export const assigned =
  <T>(parse: (text: string) => T, { anonymous = false } = {}) =>
  (text: string, earlier: readonly Assignment<T>[] = []): readonly Assignment<T>[] => {
    const equals = text.lastIndexOf('=');
    if (equals < 0 && !anonymous) throw new UsageError('is not of the form NAME=VALUE');
    return [...earlier, { text, name: text.slice(0, Math.max(0, equals)), value: parse(text.slice(equals + 1)) }];
  };

/** Splits `NAME=REST` where it begins with one of these names, the longest that fits; names may have equals signs in them. */
export function splitByName(text: string, names: readonly string[]): { readonly name?: string; readonly rest: string } {
  const fitting = names.filter((name) => text.startsWith(`${name}=`)).sort((a, b) => b.length - a.length);
  const [name] = fitting;
  return name === undefined ? { rest: text } : { name, rest: text.slice(name.length + 1) };
}
