import { toAttributes } from '../../../src/builder/attributes.js';
import { modelBuilder } from '../../../src/builder/index.js';
import type { Attribute } from '../../../src/graph/graph.js';
import { ofAnyShape, type ValueType } from '../../../src/graph/types.js';
import { type HostValue, isTensorValue } from '../../../src/tensor/tensor-value.js';
import { combinationsOf } from '../../conformance/combinations.js';
import { filled } from '../../conformance/filled.js';
import type { Combination } from '../../conformance/recipe.js';
import type { Schema } from '../../conformance/schemas.js';
import { type Form, hasFullest, partsOf } from '../../conformance/smoke-model.js';

/** A node that may be wrong. */
export interface Draft {
  readonly inputs: readonly (Operand | null)[];
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly outputs: number;
}

export interface Operand {
  readonly type: ValueType;
  readonly value: HostValue;
}

/** An operator version with the node that runs. */
export interface Subject {
  readonly name: string;
  readonly combination: Combination;
  readonly schema: Schema;
  readonly form: Form;
  readonly draft: Draft;
}

/** How inputs come: as declared shapes, as feeds of any shape, or one of them as a constant. */
export type Feeding = 'declared' | 'open' | { readonly constant: number };

export interface Made {
  readonly bytes: Uint8Array;
  readonly feeds: Record<string, HostValue>;
}

export const inputName = (i: number): string => `x0_${i}`;

/** The fullest node, on float32 where the operator takes that. */
export function subjectOf(schema: Schema): Subject {
  const combinations = combinationsOf(schema);
  const usual = combinations.find(({ types }) => Object.values(types).includes('tensor(float)'));
  const combination = usual ?? (combinations[0] as Combination);
  const form = hasFullest(combination) ? 'fullest' : 'smallest';
  const name = `${schema.domain ? `${schema.domain}.` : ''}${schema.op} ${schema.since}`;
  const { draft } = draftOf(combination, form);
  return { name, combination, schema, form, draft };
}

function draftOf(combination: Combination, form: Form) {
  const { domain, since } = combination.schema;
  const b = modelBuilder({ opset: domain ? 21 : since, ...(domain && { opsets: { [domain]: since } }) });
  const feeds: Record<string, HostValue> = {};
  const { inputs, attributes, outputs } = partsOf(b, combination, form, 0, feeds);
  const draft: Draft = {
    inputs: inputs.map((input) => input && { type: input.type, value: filled(input.type, input.given) }),
    attributes: toAttributes(attributes([])),
    outputs: outputs.length,
  };
  return { b, feeds, draft };
}

/** A model of the subject's node as `mutate` makes it. */
export function modelOf(
  { combination, schema, form }: Subject,
  mutate: (draft: Draft) => Draft,
  feeding: Feeding,
): Made {
  const { b, feeds, draft } = draftOf(combination, form);
  const { inputs, attributes, outputs } = mutate(draft);
  const values = inputs.map((operand, i) => {
    if (!operand) return null;
    const { type, value } = operand;
    const name = inputName(i);
    if (typeof feeding === 'object' && feeding.constant === i && isTensorValue(value)) return b.constant(name, value);
    feeds[name] = value;
    return b.input(name, feeding === 'open' ? ofAnyShape(type) : declared(type, value));
  });
  b.node(schema.op, values, attributes, { domain: schema.domain, outputs }).forEach((value, i) => {
    b.output(`y${i}`, value);
  });
  return { bytes: b.toBytes(), feeds };
}

const declared = (type: ValueType, value: HostValue): ValueType =>
  type.kind === 'tensor' && isTensorValue(value) ? { ...type, dims: value.dims } : type;
