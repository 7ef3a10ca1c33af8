import { isPlainArray, numbersOf, type PlainArray, type PlainValue } from './array.js';

export type PlainAttribute =
  | number
  | bigint
  | string
  | readonly number[]
  | readonly bigint[]
  | readonly string[]
  | PlainArray;

export type PlainAttributes = Readonly<Record<string, PlainAttribute | undefined>>;

export interface ReferenceNode {
  readonly op: string;
  readonly domain: string;
  readonly opset: number;
  readonly inputs: readonly (PlainValue | undefined)[];
  readonly attributes: PlainAttributes;
  /** How many outputs the node has. */
  readonly outputs: number;
  /** Runs a subgraph attribute (If, Loop, Scan): given by the caller. */
  readonly run?: (attribute: string, inputs: readonly PlainValue[]) => readonly PlainValue[];
}

/**
 * Undefined: this case is not defined here (a type or an attribute left out, or what the specification leaves open). It throws
 * where the specification allows no such inputs. Outputs may share their data with inputs.
 */
export type Reference = (node: ReferenceNode) => readonly (PlainValue | undefined)[] | undefined;

export type References = Readonly<Record<string, Reference>>;

export function int<F extends number | undefined = number>(
  { attributes }: ReferenceNode,
  name: string,
  fallback: F,
): number | F {
  const value = attributes[name];
  return value === undefined ? fallback : Number(value);
}

/** A float of an attribute has 32 bits. */
export const float = ({ attributes }: ReferenceNode, name: string, fallback: number): number =>
  Math.fround(Number(attributes[name] ?? fallback));

export const text = ({ attributes }: ReferenceNode, name: string, fallback: string): string =>
  String(attributes[name] ?? fallback);

export function ints({ attributes }: ReferenceNode, name: string): number[] | undefined {
  const value = attributes[name] as readonly (number | bigint)[] | undefined;
  return value && Array.from(value, Number);
}

export function floats({ attributes }: ReferenceNode, name: string): number[] | undefined {
  const value = attributes[name] as readonly number[] | undefined;
  return value && Array.from(value, Math.fround);
}

export const strings = ({ attributes }: ReferenceNode, name: string): readonly string[] | undefined =>
  attributes[name] as readonly string[] | undefined;

/** Input i, which must be a tensor. */
export function tensor({ op, inputs }: ReferenceNode, i: number): PlainArray {
  const value = inputs[i];
  if (!isPlainArray(value)) throw new TypeError(`input ${i} of ${op} is no tensor`);
  return value;
}

/** Input i, if it is there. */
export const maybe = (node: ReferenceNode, i: number): PlainArray | undefined =>
  node.inputs[i] === undefined ? undefined : tensor(node, i);

/** The numbers of input i, if it is there. */
export function listed(node: ReferenceNode, i: number): readonly number[] | undefined {
  const value = maybe(node, i);
  return value && numbersOf(value);
}

/** The number in input i. */
export const scalar = (node: ReferenceNode, i: number): number => Number(tensor(node, i).data[0]);

/** Numbers that are an attribute before an opset and input i from it on. */
export const movedToInput = (node: ReferenceNode, name: string, opset: number, i: number) =>
  node.opset < opset ? ints(node, name) : listed(node, i);
