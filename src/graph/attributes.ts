import type { Attribute, Attributes } from './graph.js';

export const intAttribute = (value: number): Attribute => ({ type: 'int', value });
export const intsAttribute = (value: readonly number[]): Attribute => ({ type: 'ints', value });
export const floatAttribute = (value: number): Attribute => ({ type: 'float', value });
export const stringAttribute = (value: string): Attribute => ({ type: 'string', value });

export const intOf = (attributes: Attributes, name: string, fallback: number): number =>
  attributes[name]?.type === 'int' ? (attributes[name].value as number) : fallback;

export const floatOf = (attributes: Attributes, name: string, fallback: number): number =>
  attributes[name]?.type === 'float' ? (attributes[name].value as number) : fallback;

export const stringOf = (attributes: Attributes, name: string, fallback: string): string =>
  attributes[name]?.type === 'string' ? (attributes[name].value as string) : fallback;

export const intsOf = (attributes: Attributes, name: string): readonly number[] | undefined =>
  attributes[name]?.type === 'ints' ? (attributes[name].value as readonly number[]) : undefined;
