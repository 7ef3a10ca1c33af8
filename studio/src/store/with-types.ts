import type { Outline } from '../graph/outline.js';
import type { ValueTypes } from '../workers/contracts/documents.js';
import type { SeenType } from './state.js';

/** A graph with the given types; values of the main graph have their types from the run, if any. */
export function withTypes(
  outline: Outline,
  types: ValueTypes,
  seen: ReadonlyMap<string, SeenType> = new Map(),
): Outline {
  const strings = [...outline.strings];
  const add = (text: string) => strings.push(text) - 1;
  const indices = types.strings.map((text) => (text === '' ? 0 : add(text)));
  const type = types.type.map((index, i) => indices[index] || (outline.values.type[i] as number));
  if (outline.path === '')
    outline.values.name.forEach((name, i) => {
      const found = seen.get(outline.strings[name] as string);
      if (found) type[i] = add(`${found.type}[${found.dims.join(', ')}]`);
    });
  return { ...outline, strings, values: { ...outline.values, type } };
}
