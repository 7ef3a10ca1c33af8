import type { NodeProto } from '../../../../build/onnx.js';
import { toNumber } from '../../../model/int64.js';
import { elementTypeOf } from '../../../tensor/element-types.js';
import type { Formal, Schema } from '../../schemas/schemas.js';
import { at, type Context, error } from '../context.js';
import { scopeOf } from '../scope.js';
import { declaredAt } from './signature.js';

/** The output type of operators whose attributes determine it. */
const BY_ATTRIBUTES: Readonly<Record<string, (node: NodeProto) => string | undefined>> = {
  Cast: (node) => elementNamed(node, 'to'),
  Constant: ({ attribute: [value] }) => {
    if (value?.name === 'value') return elementTypeOf(value.t?.dataType ?? 0);
    return VALUES[value?.name ?? ''];
  },
  ConstantOfShape: ({ attribute }) => {
    const value = attribute.find(({ name }) => name === 'value')?.t;
    return value ? elementTypeOf(value.dataType) : 'float32';
  },
};

const VALUES: Readonly<Record<string, string>> = {
  value_float: 'float32',
  value_floats: 'float32',
  value_int: 'int64',
  value_ints: 'int64',
  value_string: 'string',
  value_strings: 'string',
};

function elementNamed({ attribute }: NodeProto, wanted: string): string | undefined {
  const found = attribute.find(({ name }) => name === wanted);
  return found && !found.refAttrName ? elementTypeOf(toNumber(found.i)) : undefined;
}

/**
 * Checks the known types of a node's inputs and outputs against the operator's signature: each type must be one that
 * its type variable permits, and a variable must have the same type everywhere. Returns the types of the outputs.
 */
export function checkElementTypes(
  node: NodeProto,
  schema: Schema,
  declared: ReadonlyMap<string, string>,
  c: Context,
): (string | undefined)[] {
  const bound = new Map<string, string>();
  for (const [i, name, formal] of declaredAt(node.input, schema.inputs)) {
    const type = scopeOf(name, c.scope)?.values.get(name);
    if (type) admit(type, formal, schema, bound, at(c, 'input', i), name);
  }
  const known: (string | undefined)[] = node.output.map(() => undefined);
  for (const [i, name, formal] of declaredAt(node.output, schema.outputs)) {
    const follows = outputType(node, formal, schema, bound);
    const says = declared.get(name);
    const place = at(c, 'output', i);
    if (follows && says && follows !== says)
      error(place, 'TYPE_MISMATCH', `the output is ${follows}, but it is declared as ${says}`, { value: name });
    else if (says) admit(says, formal, schema, bound, place, name);
    known[i] = follows ?? says;
  }
  return known;
}

function outputType(node: NodeProto, formal: Formal, schema: Schema, bound: ReadonlyMap<string, string>) {
  const allowed = allowedFor(formal, schema);
  const [only] = allowed.size === 1 ? allowed : [];
  const said = schema.domain === '' ? BY_ATTRIBUTES[schema.name]?.(node) : undefined;
  return only ?? said ?? (formal.mixed ? undefined : bound.get(formal.type));
}

const allowedFor = ({ type }: Formal, { types }: Schema): ReadonlySet<string> => types.get(type) ?? new Set([type]);

function admit(
  type: string,
  formal: Formal,
  schema: Schema,
  bound: Map<string, string>,
  c: Context,
  value: string,
): void {
  const allowed = allowedFor(formal, schema);
  if (!allowed.has(type)) {
    error(c, 'TYPE_MISMATCH', `"${formal.name}" of ${schema.name} cannot be ${type}`, {
      value,
      hint: `allowed since opset ${schema.since}: ${[...allowed].join(', ')}`,
    });
    return;
  }
  if (formal.mixed) return;
  const earlier = bound.get(formal.type);
  if (earlier && earlier !== type)
    error(
      c,
      'TYPE_MISMATCH',
      `"${formal.name}" of ${schema.name} is ${type}, but another input or output of type ${formal.type} is ${earlier}`,
      {
        value,
        hint: 'insert a Cast node',
      },
    );
  bound.set(formal.type, earlier ?? type);
}
