import { type AttributeInput, float, type GraphBuilder, modelBuilder } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Attribute } from '../../src/graph/graph.js';
import type { ValueType } from '../../src/graph/types.js';
import type { Feeds } from '../../src/session/feeds.js';
import { isTensorValue } from '../../src/tensor/tensor-value.js';
import { filled, type Given } from './filled.js';
import type { Combination, GivenValues, Recipe } from './recipe.js';
import { RECIPES } from './recipes.js';
import { attributeKind, parseType, type SchemaParameter } from './schemas.js';

/** How a node is fed: with the fewest inputs, with all of them, or with all of them constant. */
export type Form = 'smallest' | 'fullest' | 'constant';

export interface SmokeModel {
  readonly bytes: Uint8Array;
  readonly feeds: Feeds;
  /** The outputs by name and what the schema says of each. */
  readonly outputs: ReadonlyMap<string, ValueType>;
}

const DEFAULT: Given = [2, 3];

/** A model with a node for each combination of one operator version. */
export function smokeModel(combinations: readonly Combination[], form: Form): SmokeModel {
  const { domain, since } = (combinations[0] as Combination).schema;
  const b = modelBuilder({ opset: domain ? 21 : since, ...(domain && { opsets: { [domain]: since } }) });
  const feeds: Record<string, Feeds[string]> = {};
  const outputs = new Map<string, ValueType>();
  combinations.forEach((c, n) => {
    addNode(b, c, form, n, feeds).forEach((type, i) => {
      outputs.set(`y${n}_${i}`, type);
    });
  });
  return { bytes: b.toBytes(), feeds, outputs };
}

/** Adds node `n` and returns the types of its outputs. */
function addNode(b: ModelBuilder, c: Combination, form: Form, n: number, feeds: Record<string, Feeds[string]>) {
  const recipe = RECIPES[c.schema.op] ?? {};
  const full = form !== 'smallest' && hasFullest(c);
  const inputs = inputsOf(c, recipe, full).map((input, i) => {
    if (!input) return null;
    const { type, given } = input;
    const name = `x${n}_${i}`;
    const value = filled(type, given);
    if (form === 'constant' && isTensorValue(value)) return b.constant(name, value);
    feeds[name] = value;
    return b.input(name, type.kind === 'tensor' ? { ...type, dims: 'dims' in given ? given.dims : given } : type);
  });
  const captured = recipe.captured && parseType(c.types[recipe.captured] as string);
  if (captured) feeds[`captured${n}`] = filled(captured, DEFAULT);
  const given = { inputs, captured: captured ? b.input(`captured${n}`, captured) : undefined };
  const attributes = attributesOf(c, recipe, full, b, given);
  const types = outputsOf(c, recipe, full);
  const { op, domain } = c.schema;
  b.node(op, inputs, attributes, { domain, outputs: types.length }).forEach((value, i) => {
    b.output(`y${n}_${i}`, value);
  });
  return types;
}

/** Whether the fullest node is another than the smallest. */
export function hasFullest({ schema: { op, inputs, outputs } }: Combination): boolean {
  const recipe = RECIPES[op] ?? {};
  if (recipe.full === false) return false;
  const optional = inputs.some(({ name, optional }) => optional && !recipe.always?.includes(name));
  return optional || outputCount(outputs, recipe, true) > outputCount(outputs, recipe, false);
}

function inputsOf(c: Combination, recipe: Recipe, full: boolean) {
  const table = typeof recipe.inputs === 'function' ? recipe.inputs(c) : (recipe.inputs ?? []);
  const isList = Array.isArray(table);
  const named = (name: string, i: number) => (table as Record<string, Given | null>)[isList ? i : name];
  const more = full && recipe.full ? recipe.full : {};
  const { inputs } = c.schema;
  const last = inputs.at(-1);
  const repeats = recipe.repeats ?? 2;
  const count = last?.variadic ? Math.max(inputs.length + repeats - 1, isList ? table.length : 0) : inputs.length;
  const chosen = Array.from({ length: count }, (_, i) => {
    const { name, type, optional } = (inputs[i] ?? last) as SchemaParameter;
    if (optional && !full && !recipe.always?.includes(name)) return null;
    const given = [more[name], named(name, i), DEFAULT].find((choice) => choice !== undefined);
    const variable = recipe.variables?.[i] ?? type;
    return given ? { type: parseType(c.types[variable] ?? variable), given } : null;
  });
  while (chosen.length > 0 && chosen.at(-1) === null) chosen.pop();
  return chosen;
}

function outputCount(outputs: readonly SchemaParameter[], { outputs: count }: Recipe, full: boolean): number {
  if (typeof count === 'number') return count;
  const chosen = count?.[full ? 1 : 0] ?? outputs.filter(({ optional }) => full || !optional).length;
  return Math.max(1, Math.min(chosen, outputs.length));
}

const outputsOf = ({ schema, types }: Combination, recipe: Recipe, full: boolean): ValueType[] =>
  Array.from({ length: outputCount(schema.outputs, recipe, full) }, (_, i) => {
    const { type } = (schema.outputs[i] ?? schema.outputs.at(-1)) as SchemaParameter;
    return parseType(types[type] ?? type);
  });

/** The recipe's attributes that this version has, as the schema types them. */
function attributesOf(c: Combination, recipe: Recipe, full: boolean, graph: GraphBuilder, given: GivenValues) {
  const { attributes } = recipe;
  const made = typeof attributes === 'function' ? attributes(c, full, graph, given) : (attributes ?? {});
  return Object.fromEntries(
    c.schema.attributes.map(({ name, type }) => [name, typed(made[name], attributeKind(type))] as const),
  );
}

function typed(input: AttributeInput | undefined, kind: Attribute['type']): AttributeInput | undefined {
  if (kind === 'float' && typeof input === 'number') return float(input);
  if (kind === 'floats' && Array.isArray(input)) return { type: 'floats', value: input as number[] };
  return input;
}
