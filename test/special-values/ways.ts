import type { Variant } from '../../bindings/features.js';
import { modelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { SardonyxError, type SessionOptions } from '../../src/index.js';
import type { Feeds } from '../../src/session/feeds.js';
import { elementCount, type HostValue, isTensorValue } from '../../src/tensor/tensor-value.js';
import { filled } from '../conformance/filled.js';
import type { Combination } from '../conformance/recipe.js';
import { partsOf } from '../conformance/smoke-model.js';
import type { Choices } from '../fuzz/graphs/choices.js';
import { openIn } from '../fuzz/graphs/modes.js';
import { plainOfValue, tensorOfPlain } from '../fuzz/graphs/plain-tensors.js';
import { DOMAINS } from '../fuzz/graphs/program.js';
import type { PlainValue } from '../fuzz/reference/array.js';
import { type Reach, specialOf } from './values.js';

/** One way to compute a node. */
export interface Way {
  readonly name: string;
  readonly constant: boolean;
  readonly options: SessionOptions;
  readonly variant?: Variant;
}

export const WAYS: readonly Way[] = [
  { name: 'fed', constant: false, options: {} },
  { name: 'fed, not optimised', constant: false, options: { graphOptimizationLevel: 'disabled' } },
  { name: 'constant', constant: true, options: {} },
  { name: 'reference', constant: false, options: { executionProviders: ['reference'] } },
  { name: 'relaxed', constant: false, options: {}, variant: 'relaxed' },
];

/** A node of that combination, on special values. */
export interface SpecialNode {
  readonly combination: Combination;
  readonly form: 'smallest' | 'fullest';
  /** What its inputs are; null: not given. */
  readonly values: readonly (HostValue | null)[];
  readonly extra: Feeds;
}

const builderFor = ({ schema: { domain, since } }: Combination) =>
  modelBuilder({ opset: domain ? 21 : since, opsets: { ...DOMAINS, ...(domain && { [domain]: since }) } });

export function specialNode(
  g: Choices,
  combination: Combination,
  form: SpecialNode['form'],
  reach: Reach,
): SpecialNode {
  const extra: Record<string, HostValue> = {};
  const { inputs } = partsOf(builderFor(combination), combination, form, 0, extra);
  const values = inputs.map((input) => {
    if (!input) return null;
    const { type, given } = input;
    if (type.kind !== 'tensor' || 'dims' in given || type.element.startsWith('complex')) return filled(type, given);
    const { element } = type;
    return tensorOfPlain({
      type: element,
      dims: given,
      data: Array.from({ length: elementCount(given) }, () => specialOf(g, element, reach)),
    });
  });
  return { combination, form, values, extra };
}

/** Results of the node that way. */
export async function runIn({ constant, options, variant }: Way, node: SpecialNode): Promise<HostValue[]> {
  const { combination, form, values } = node;
  const b = builderFor(combination);
  const feeds: Record<string, HostValue> = {};
  const parts = partsOf(b, combination, form, 0, feeds);
  const inputs = values.map((value, i): Value | null => {
    if (value === null) return null;
    if (constant && isTensorValue(value)) return b.constant(`x${i}`, value);
    feeds[`x${i}`] = value;
    const type = parts.inputs[i]?.type as NonNullable<(typeof parts.inputs)[number]>['type'];
    return b.input(`x${i}`, isTensorValue(value) ? ({ ...type, dims: value.dims } as typeof type) : type);
  });
  const { op, domain } = combination.schema;
  const outputs = b.node(op, inputs, parts.attributes(inputs), { domain, outputs: parts.outputs.length });
  outputs.forEach((value, i) => void b.output(`y${i}`, value));
  const session = await openIn({ name: '', options, ...(variant && { variant }) }, b.toBytes());
  try {
    const results = await session.run({ ...feeds });
    return outputs.map((_, i) => results[`y${i}`] as HostValue);
  } finally {
    await session.release();
  }
}

/** Results in plain numbers, or why there are none. */
export type Outcome = readonly PlainValue[] | string;

/** Maps and complex numbers have no plain form. */
function hasPlainForm(value: HostValue): boolean {
  if (Array.isArray(value)) return value.every(hasPlainForm);
  return value instanceof Map ? false : !isTensorValue(value) || !value.type.startsWith('complex');
}

const plainOrNull = (value: HostValue): PlainValue => (hasPlainForm(value) ? plainOfValue(value) : null);

export async function outcomeIn(way: Way, node: SpecialNode): Promise<Outcome> {
  try {
    return (await runIn(way, node)).map(plainOrNull);
  } catch (error) {
    if (error instanceof SardonyxError && error.code !== 'INTERNAL') return error.code;
    throw error;
  }
}
