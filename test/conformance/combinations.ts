import type { Combination } from './recipe.js';
import { RECIPES } from './recipes.js';
import type { Schema } from './schemas.js';

/** Each type variable of the inputs and outputs with each of its types in turn, the others with their first. */
export function combinationsOf(schema: Schema): Combination[] {
  const { types, inputs, outputs, since } = schema;
  const used = new Set([...inputs, ...outputs].map(({ type }) => type));
  const variables = Object.keys(types).filter((name) => used.has(name));
  const first = Object.fromEntries(variables.map((name) => [name, types[name]?.[0] as string]));
  const turns = variables.flatMap((name) => (types[name] ?? []).map((type) => ({ ...first, [name]: type })));
  const found = new Map<string, Combination>();
  for (const turn of [first, ...turns]) {
    const bound = RECIPES[schema.op]?.types?.(turn, schema) ?? turn;
    const differing = variables.filter((name) => bound[name] !== first[name]);
    const label = [`${since}`, ...differing.map((name) => `${name}=${bound[name]}`)].join(' ');
    found.set(label, { schema, types: bound, label });
  }
  return [...found.values()];
}
