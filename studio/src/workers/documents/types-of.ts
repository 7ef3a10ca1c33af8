import { inferShapes, type Model } from 'sardonyx/model';
import { withProto } from '../../../../src/tools/model-of.js';
import type { Fed, ValueTypes } from '../contracts/documents.js';
import { instancesOf, type Types, typesAlong } from './call-types.js';
import { typeText } from './type-text.js';
import { withFed } from './with-fed.js';

const inferred = new WeakMap<Model, Map<string, Promise<Model>>>();

/** A model with all types inferred from it and from the sizes its inputs were fed with. */
function inferredOf(model: Model, fed: Fed): Promise<Model> {
  const known = inferred.get(model) ?? new Map<string, Promise<Model>>();
  inferred.set(model, known);
  const key = JSON.stringify(fed);
  const found = known.get(key) ?? inferShapes(withProto(model, withFed(model.proto, fed)));
  // Keep only the latest run, and the types inferred without a run.
  for (const other of known.keys()) if (other !== '{}' && other !== key) known.delete(other);
  known.set(key, found);
  return found;
}

/** Types of the values of the graph at a path, in the order of its outline's names. */
export async function typesOf(
  model: Model,
  path: string,
  names: readonly string[],
  fed: Fed = {},
): Promise<ValueTypes> {
  const found = await typesAt(await inferredOf(model, fed), path);
  const strings = [''];
  const indices = new Map([['', 0]]);
  const indexOf = (text: string): number => {
    const index = indices.get(text) ?? strings.push(text) - 1;
    indices.set(text, index);
    return index;
  };
  const agreed = (name: string) => found.map((types) => typeText(types.get(name))).reduce(common, '');
  return { type: Int32Array.from(names, (name) => indexOf(agreed(name))), strings };
}

/** Types at a path; within a function, those of each call. */
async function typesAt(model: Model, path: string): Promise<readonly Types[]> {
  const [first, name = '', ...rest] = path.split('/');
  if (first !== 'function') return [typesAlong(model.proto, path)];
  const definition = model.proto.functions.find((each) => `${each.domain}:${each.name}` === name);
  const instances = definition ? await instancesOf(model, definition) : [];
  return instances.map(({ proto }) => typesAlong(proto, rest.join('/')));
}

const TENSOR = /^(.*)\[(.*)\]$/;

/** The common part of two types as text: sizes that differ become `?`; an unknown type ('') matches any. */
function common(one: string, other: string): string {
  if (one === '' || one === other) return other;
  if (other === '') return one;
  const [[, element = '', dims = ''], [, otherElement, otherDims = '']] = [
    TENSOR.exec(one) ?? [],
    TENSOR.exec(other) ?? [],
  ];
  const [sizes, otherSizes] = [dims.split(', '), otherDims.split(', ')];
  if (element === '' || element !== otherElement) return '';
  if (sizes.length !== otherSizes.length) return element;
  return `${element}[${sizes.map((size, i) => (size === otherSizes[i] ? size : '?')).join(', ')}]`;
}
