import { inferShapes, type Model } from 'sardonyx/model';
import { type Body, graphAt } from './graph-at.js';
import type { ValueTypes } from './service.js';
import { typeText } from './type-text.js';

const inferred = new WeakMap<Model, Promise<Model>>();

/** Types of the values of the graph at a path, in the order of its outline's names. */
export async function typesOf(model: Model, path: string, names: readonly string[]): Promise<ValueTypes> {
  const known = inferred.get(model) ?? inferShapes(model);
  inferred.set(model, known);
  const types = typesIn(graphAt((await known).proto, path));
  const strings = [''];
  const indices = new Map([['', 0]]);
  const indexOf = (text: string): number => {
    const index = indices.get(text) ?? strings.push(text) - 1;
    indices.set(text, index);
    return index;
  };
  return { type: Int32Array.from(names, (name) => indexOf(types.get(name) ?? '')), strings };
}

function typesIn(graph: Body): Map<string, string> {
  const infos = [...graph.input, ...graph.valueInfo, ...graph.output];
  return new Map(infos.map(({ name, type }) => [name, typeText(type)]));
}
