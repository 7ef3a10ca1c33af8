import type { ModelProto } from '../../../build/onnx.js';
import { type Body, bodiesOf, definedIn } from './bodies.js';

/** Returns an unused name, the given one if possible. */
export type FreshName = (wanted: string) => string;

export function freshNames(taken: Set<string>): FreshName {
  const numbers = new Map<string, number>();
  return (wanted) => {
    let name = wanted;
    let number = numbers.get(wanted) ?? 2;
    while (taken.has(name) || !name) name = `${wanted}_${number++}`;
    numbers.set(wanted, number);
    taken.add(name);
    return name;
  };
}

/** The names of values in the bodies. */
export function valueNames(bodies: Iterable<Body>): Set<string> {
  const names = new Set<string>();
  for (const body of bodies) for (const name of definedIn(body)) names.add(name);
  return names;
}

export function nodeNames(bodies: Iterable<Body>): Set<string> {
  const names = new Set<string>();
  for (const { node } of bodies) for (const { name } of node) names.add(name);
  return names;
}

/** Generates value names that no graph or function of the model has. */
export const freshValues = (model: ModelProto): FreshName => freshNames(valueNames(bodiesOf(model)));
