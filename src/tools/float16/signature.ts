import type { NodeProto } from '../../../build/onnx.js';
import { findOperator } from '../../schema/registry.js';
import { type Parameter, parameterAt } from '../../schema/signature.js';
import { domainOf } from '../schemas/domains.js';
import { type Formal, formalAt, type Schema, schemaOf } from '../schemas/schemas.js';

/** What an input or output may be. */
export interface Port {
  /** Ports of equal variables are of equal types. */
  readonly variable: string;
  readonly types: ReadonlySet<string>;
  /** Whether it repeats with other types. */
  readonly mixed: boolean;
}

/** What a node's operator declares, at the opset that the model imports. */
export interface Signature {
  readonly since: number;
  readonly input: (i: number) => Port | undefined;
  readonly output: (i: number) => Port | undefined;
  /** The attribute that says the type of outputs which no input says; that of `stash_type` is left alone. */
  readonly typed: TypeAttribute | 'stash_type' | undefined;
}

/** `to`, `dtype` and the like are a type's number, `value` is a tensor, `type` all of a type. */
export interface TypeAttribute {
  readonly name: string;
  /** Whether leaving it out means float32, not the type of an input. */
  readonly isSaid: boolean;
}

const TYPE_ATTRIBUTES = ['to', 'dtype', 'output_datatype', 'output_dtype', 'value', 'type', 'stash_type'];

export function signatureOf({ domain, opType }: NodeProto, opsets: ReadonlyMap<string, number>): Signature | undefined {
  const opset = opsets.get(domainOf(domain)) ?? Number.POSITIVE_INFINITY;
  const schema = schemaOf(domain, opType, opset);
  if (schema) return schema.deprecated ? undefined : ofSchema(schema);
  const operator = findOperator(domain, opType, opset);
  if (!operator) return undefined;
  const { inputs, outputs } = operator.signature;
  const port = (parameters: readonly Parameter[]) => (i: number) => {
    const found = parameterAt(parameters, i);
    return found && portOf(found.type, operator.types[found.type], found.mixed, found.sequence);
  };
  return { since: operator.since, input: port(inputs), output: port(outputs), typed: undefined };
}

function ofSchema({ since, inputs, outputs, types, attributes }: Schema): Signature {
  const port = (formals: readonly Formal[]) => (i: number) => {
    const found = formalAt(formals, i);
    return found && portOf(found.type, types.get(found.type), found.mixed);
  };
  const isOpen = outputs.some(({ type }) => types.has(type) && !inputs.some((input) => input.type === type));
  const name = isOpen && TYPE_ATTRIBUTES.find((wanted) => attributes.has(wanted));
  const isSaid = name !== 'type' && attributes.get(name || '')?.fallback !== '0';
  const typed = name === 'stash_type' ? name : name ? { name, isSaid } : undefined;
  return { since, input: port(inputs), output: port(outputs), typed };
}

const portOf = (variable: string, types: Iterable<string> = [variable], mixed = false, sequence = false): Port => ({
  variable,
  mixed,
  types: new Set(sequence ? [...types].map((type) => `seq(${type})`) : types),
});
