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

/** A parser of repeated `NAME=VALUE`, collected in a map; `anonymous` is the name where only a value is given. */
export const named =
  <T>(parse: (text: string) => T, anonymous?: string) =>
  (text: string, collected: ReadonlyMap<string, T> = new Map()): ReadonlyMap<string, T> => {
    const equals = text.indexOf('=');
    if (equals < 0 && anonymous === undefined) throw new UsageError(`"${text}" is not of the form NAME=VALUE`);
    const name = equals < 0 ? (anonymous as string) : text.slice(0, equals);
    if (collected.has(name)) throw new UsageError(`${name === '' ? 'the value' : `"${name}"`} is given twice`);
    return new Map(collected).set(name, parse(text.slice(equals + 1)));
  };

export const text = (value: string): string => value;
