import type { AttributeValue } from 'sardonyx/model';
import type { EditableType } from './change.js';

const listed = (text: string): string[] => (text.trim() === '' ? [] : text.split(',').map((item) => item.trim()));

function integer(text: string): number | bigint {
  if (!/^[-+]?\d+$/.test(text.trim())) throw new Error(`"${text}" is no whole number`);
  const exact = BigInt(text.trim());
  return BigInt.asIntN(53, exact) === exact ? Number(exact) : exact;
}

const FLOATS: Readonly<Record<string, number>> = {
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
  nan: Number.NaN,
};

function float(text: string): number {
  const known = FLOATS[text.trim().toLowerCase().replace('infinity', 'inf')];
  const value = known ?? (text.trim() === '' ? Number.NaN : Number(text));
  if (known === undefined && Number.isNaN(value)) throw new Error(`"${text}" is no number`);
  return value;
}

/** What is written stands for, by the attribute's type. */
export const ATTRIBUTE_VALUES: Readonly<Record<EditableType, (text: string) => AttributeValue>> = {
  int: integer,
  float,
  string: (text) => text,
  ints: (text) => listed(text).map(integer),
  floats: (text) => listed(text).map(float),
  strings: listed,
};
