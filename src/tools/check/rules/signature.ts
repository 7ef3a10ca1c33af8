import type { AttributeProto, NodeProto } from '../../../../build/onnx.js';
import { didYouMean } from '../../../advice/near.js';
import {
  becameInput,
  givenAsAttribute,
  givenAsInput,
  isStillAttribute,
  type Move,
  movesOf,
} from '../../../schema/moves.js';
import { arityOf, type Formal, formalAt, type Schema, schemaOf, sinceOf } from '../../schemas/schemas.js';
import { at, type Context, error } from '../context.js';
import { typeOf } from './attribute.js';

/** Checks a node against its operator's schema: the numbers of inputs and outputs, and the attributes. */
export function checkSignature(node: NodeProto, schema: Schema, c: Context): void {
  checkArity(node.input, schema.inputs, 'input', schema, c);
  checkArity(node.output, schema.outputs, 'output', schema, c);
  const { outputCounts } = schema;
  if (outputCounts && node.output.length < schema.outputs.length && !outputCounts.includes(node.output.length))
    error(at(c, 'output'), 'ARITY', `expected ${outputCounts.join(' or ')} outputs, got ${node.output.length}`);
  for (const attribute of node.attribute) checkAttribute(attribute, schema, at(c, 'attribute', attribute.name));
  for (const { name, required, type } of schema.attributes.values())
    if (required && !node.attribute.some((attribute) => attribute.name === name))
      error(at(c, 'attribute'), 'MISSING', `the required attribute "${name}" (${type}) is missing`, { value: name });
}

function checkArity(
  given: readonly string[],
  formals: readonly Formal[],
  field: 'input' | 'output',
  schema: Schema,
  c: Context,
): void {
  const { name, since } = schema;
  const [least, most] = arityOf(formals);
  const place = at(c, field);
  if (given.length < least || given.length > most) {
    const move =
      field === 'input' && given.length > most
        ? isStillAttribute(movesIn(schema), [...schema.attributes.keys()], most)
        : undefined;
    if (move) {
      error(place, 'ARITY', givenAsInput(move));
      return;
    }
    const takes =
      least === most ? least : most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
    const names = formals.map((formal) => formal.name).join(', ') || 'none';
    error(place, 'ARITY', `${name} takes ${takes} ${takes === 1 ? field : `${field}s`}, got ${given.length}`, {
      hint: `since opset ${since}: ${names}`,
    });
  }
  for (const [i, value] of given.entries())
    if (value === '' && formals[i]?.option === 'single')
      error(at(place, i), 'ARITY', `the required ${field} ${i} ("${formals[i].name}") is missing`);
}

function checkAttribute(attribute: AttributeProto, schema: Schema, c: Context): void {
  const { name } = attribute;
  const declared = schema.attributes.get(name);
  if (!declared) {
    // Names that begin with two underscores hold notes of an exporter.
    if (schema.open || name === '' || name.startsWith('__')) return;
    const move = becameInput(movesIn(schema), schema.since, name);
    if (move) {
      error(c, 'UNKNOWN_ATTRIBUTE', givenAsAttribute(move), { value: name });
      return;
    }
    const known = [...schema.attributes.keys()];
    error(c, 'UNKNOWN_ATTRIBUTE', `${schema.name} has no attribute "${name}"`, {
      value: name,
      hint: () =>
        didYouMean(name, known).replace(/^; /, '') ||
        `attributes since opset ${schema.since}: ${known.join(', ') || 'none'}`,
    });
    return;
  }
  const type = typeOf(attribute);
  if (type && type !== declared.type)
    error(c, 'ATTRIBUTE_TYPE', `the attribute "${name}" must be ${declared.type}, not ${type}`, { value: name });
}

/** The attributes that became inputs in later versions of the operator. */
const movesIn = ({ domain, name }: Schema): readonly Move[] =>
  movesOf(
    sinceOf(domain, name).map((since) => {
      const { attributes, inputs } = schemaOf(domain, name, since) as Schema;
      return { since, attributes: [...attributes.keys()], inputs: inputs.map((formal) => formal.name) };
    }),
  );

/** Yields the position, name and formal parameter of each given input or output. */
export function* declaredAt(given: readonly string[], formals: readonly Formal[]): Generator<[number, string, Formal]> {
  for (const [i, name] of given.entries()) {
    const formal = formalAt(formals, i);
    if (formal && name !== '') yield [i, name, formal];
  }
}
