import { modelBuilder } from '../../../../src/builder/index.js';
import { findOperator } from '../../../../src/schema/registry.js';
import { elementCount, isTensorValue } from '../../../../src/tensor/tensor-value.js';
import { combinationsOf } from '../../../conformance/combinations.js';
import { filled } from '../../../conformance/filled.js';
import type { Combination } from '../../../conformance/recipe.js';
import { readSchemas, type Schema } from '../../../conformance/schemas.js';
import { type NodeInput, partsOf } from '../../../conformance/smoke-model.js';
import { sharedFolder } from '../../../shared-data.js';
import { type Draft, type KnownTensor, Unfit } from '../draft.js';
import { plainOfTensor } from '../plain-tensors.js';
import { DOMAINS } from '../program.js';
import type { Maker, Makers } from './maker.js';

/** Operators that draw numbers, that name values of the graph, or that have makers of their own for their subgraphs. */
const LEFT_OUT = /^(Random|Multinomial|Bernoulli|Gradient$|If$|Loop$|Scan$|SequenceMap$)/;

const isTensorOf = (type: string) => type.startsWith('tensor(') && !type.includes('complex');

/** Versions of each operator, newest first, by domain and name. */
function schemasByName(): readonly (readonly Schema[])[] {
  const folder = sharedFolder('onnx-schemas');
  const byName = new Map<string, Schema[]>();
  for (const schema of folder ? readSchemas(folder) : []) {
    const name = `${schema.domain}:${schema.op}`;
    if (!LEFT_OUT.test(schema.op)) byName.set(name, [...(byName.get(name) ?? []), schema]);
  }
  return [...byName.values()].map((versions) => versions.toSorted((a, b) => b.since - a.since));
}

const SCHEMAS = schemasByName();
const COMBINATIONS = new Map<Schema, readonly Combination[]>();

function someCombination(g: Draft): Combination {
  const versions = g.choices.pick(SCHEMAS);
  const opset = (domain: string) => (domain === '' ? g.opset : (DOMAINS[domain] ?? 0));
  const schema = versions.find(({ domain, since }) => since <= opset(domain));
  if (!schema || findOperator(schema.domain, schema.op, opset(schema.domain))?.deterministic !== true)
    throw new Unfit();
  const known = COMBINATIONS.get(schema) ?? combinationsOf(schema);
  COMBINATIONS.set(schema, known);
  return g.choices.pick(known);
}

/** The first elements of `x` in another shape, so that what `x` comes from reaches the operator. */
function reshaped(g: Draft, x: KnownTensor, dims: readonly number[]): KnownTensor {
  const flat = g.op('Reshape', [x, g.integers([-1])]);
  const first = g.op('Slice', [flat, g.integers([0]), g.integers([elementCount(dims)]), g.integers([0])]);
  return g.op('Reshape', [first, g.integers(dims)]);
}

function inputFor(g: Draft, x: KnownTensor, { type, given }: NodeInput): KnownTensor {
  if (type.kind !== 'tensor') throw new Unfit();
  const { element } = type;
  if ('dims' in given) {
    const value = filled(type, given);
    if (!isTensorValue(value)) throw new Unfit();
    return g.constant(element, value.dims, plainOfTensor(value).data, g.choices.chance(0.3));
  }
  const count = elementCount(given);
  const isLarge = x.values.every(({ dims }) => elementCount(dims) >= count);
  if (x.type === element && isLarge && g.choices.chance(0.6)) return reshaped(g, x, given);
  return g.constant(element, given, g.draw(element, count));
}

/** Any operator that the schemas declare, on any of its types. */
const declared: Maker = async (g, x) => {
  const combination = someCombination(g);
  const { schema, types } = combination;
  if (!Object.values(types).every(isTensorOf)) throw new Unfit();
  const scratch = modelBuilder({ opset: g.opset, opsets: DOMAINS });
  const { inputs, attributes, outputs } = partsOf(scratch, combination, g.choices.pick(['smallest', 'fullest']), 0, {});
  const operands = inputs.map((input) => input && inputFor(g, x, input));
  await g.anyNode(schema.op, operands, attributes([]), { domain: schema.domain, outputs: outputs.length });
};

export const DECLARED: Makers = SCHEMAS.length > 0 ? [[1, declared]] : [[1, () => {}]];
