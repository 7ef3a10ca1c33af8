import type { NodeProto } from '../../../build/onnx.js';
import { findOperator } from '../../schema/registry.js';
import { type Parameter, parameterAt } from '../../schema/signature.js';
import { domainOf } from '../schemas/domains.js';
import { type Formal, formalAt, type Schema, schemaOf } from '../schemas/schemas.js';

/** The supported types of an input or output. */
export interface Port {
  /** The type variable. Ports with the same variable have the same type. */
  readonly variable: string;
  readonly types: ReadonlySet<string>;
  /** Whether it is variadic with different types. */
  readonly mixed: boolean;
}

/** The signature of a node's operator in the imported opset. */
export interface Signature {
  readonly since: number;
  readonly input: (i: number) => Port | undefined;
  readonly output: (i: number) => Port | undefined;
  /** The attribute that determines the output type if no input does. The attribute `stash_type` stays unchanged. */
  readonly typed: TypeAttribute | 'stash_type' | undefined;
}

/** An attribute with a type: a number (`to`, `dtype` …), a tensor (`value`), or a whole type (`type`). */
export interface TypeAttribute {
  readonly name: string;
  /** Whether omitting it means float32 rather than the type of an input. */
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
