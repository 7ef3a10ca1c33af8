import type { AttributeProto, NodeProto } from '../../../build/onnx.js';
import type { ValueType } from '../../graph/types.js';
import { arityOf, type Formal, formalAt, type Schema } from '../schemas/schemas.js';
import { movesAt, toAttributes, toInputs } from './moves.js';
import {
  attributeOf,
  block,
  float,
  int,
  ints,
  numbersAt,
  string,
  valuesOf,
  withAttributes,
  withoutAttributes,
} from './node.js';
import { RECIPES } from './recipes/index.js';
import { dimsAt, type Step } from './step.js';

/** A conversion from one version of an operator to the next; `to` is undefined if the operator has no older version. */
export interface Crossing extends Step {
  readonly to: Schema | undefined;
}

/** The key of a conversion: the operator and the newer of both versions, such as `Softmax 13`. */
const boundaryOf = ({ from, to }: Crossing): string =>
  `${from.domain && `${from.domain}.`}${from.name} ${Math.max(from.since, to?.since ?? 0)}`;

/**
 * Converts a node to the next newer or older version of its operator, or replaces it by other nodes. Throws `Blocked`.
 */
export function cross(crossing: Crossing): readonly NodeProto[] {
  const { node, from, to } = crossing;
  const isUp = to !== undefined && to.since > from.since;
  const boundary = boundaryOf(crossing);
  needOperands(node.input, from.inputs, 'input', from);
  needOperands(node.output, from.outputs, 'output', from);
  if (!isUp) refuseNewValues(node, boundary);
  const counted = isUp || from.since !== 11 ? node : fromStart(crossing);
  const recipe = RECIPES[boundary]?.[isUp ? 'up' : 'down'];
  if (!recipe && (!to || to.deprecated))
    return block(`${from.name} was ${to ? 'removed' : 'added'} in opset ${Math.max(from.since, to?.since ?? 0)}`);
  const nodes = recipe ? recipe({ ...crossing, node: counted }) : [counted];
  return nodes.flatMap((made) => {
    if (!to || to.deprecated || made.opType !== to.name) return [made];
    const step = { ...crossing, node: made, to };
    const moves = movesAt(boundary);
    const moved = isUp ? toInputs(step, moves) : [toAttributes(step, moves)];
    const fitted = fit({ ...step, node: moved.pop() as NodeProto }, new Set(moves.map(({ attribute }) => attribute)));
    return [...moved, fitted];
  });
}

/** Attribute values that a version introduced. */
const NEW_VALUES: Readonly<Record<string, readonly (readonly [attribute: string, ...values: string[]])[]>> = {
  'ScatterElements 18': [['reduction', 'max', 'min']],
  'ScatterND 18': [['reduction', 'max', 'min']],
  'Pad 19': [['mode', 'wrap']],
  'Resize 19': [['coordinate_transformation_mode', 'half_pixel_symmetric']],
};

function refuseNewValues(node: NodeProto, boundary: string): void {
  for (const [name, ...values] of NEW_VALUES[boundary] ?? []) {
    const attribute = attributeOf(node, name);
    const value = attribute && valuesOf(attribute).find((found) => values.includes(String(found)));
    if (value) block(`${name}=${value} needs ${boundary}`);
  }
}

/** The number of axes that an `axis` attribute counts in addition to those of the first input. */
const MORE_AXES: Readonly<Record<string, (node: NodeProto) => number>> = {
  OneHot: () => 1,
  Unsqueeze: (node) => numbersAt(node, 'axes')?.length ?? 0,
};

/** Makes negative axes non-negative, as before version 11. */
function fromStart(step: Step): NodeProto {
  const { node } = step;
  const counted = ['axis', 'axes'].flatMap((name) => {
    const attribute = attributeOf(node, name);
    const values = attribute && valuesOf(attribute).map(Number);
    if (!attribute || !values?.some((axis) => axis < 0)) return [];
    const rank =
      dimsAt(step, 0)?.length ?? block(`${name}=${values} is negative, and the rank of the input is unknown`);
    const all = rank + (MORE_AXES[node.opType]?.(node) ?? 0);
    const positive = values.map((axis) => (axis < 0 ? axis + all : axis));
    return [name === 'axis' ? int(name, positive[0] as number) : ints(name, positive)];
  });
  return counted.length > 0 ? withAttributes(node, ...counted) : node;
}

type Fitting = Step & { readonly to: Schema };

/** Adapts attributes to the target version, and checks that it supports the operands and types. */
function fit(step: Fitting, moved: ReadonlySet<string>): NodeProto {
  const node = fitAttributes(step, moved);
  const { from, to } = step;
  fitOperands({ ...step, node }, node.input, from.inputs, to.inputs, 'input');
  fitOperands({ ...step, node }, node.output, from.outputs, to.outputs, 'output');
  agree(step, node);
  return node;
}

/** Removes attributes that have no effect, and writes defaults that differ between the versions. */
function fitAttributes({ node, from, to }: Fitting, moved: ReadonlySet<string>): NodeProto {
  const unknown = to.open ? [] : node.attribute.filter(({ name }) => !to.attributes.has(name));
  for (const attribute of unknown)
    if (!isIdle(attribute, from))
      block(`${to.name} ${to.since} does not support ${attribute.name}=${valuesOf(attribute)}`);
  const rest = withoutAttributes(node, ...unknown.map(({ name }) => name));
  const added = [...to.attributes.values()].flatMap(({ name, fallback, required, type }) => {
    if (attributeOf(rest, name) || moved.has(name)) return [];
    const { fallback: was, required: needed } = from.attributes.get(name) ?? {};
    if (was === undefined && required && !needed) block(`${to.name} ${to.since} needs the attribute ${name}`);
    return was === undefined || (was === fallback && !required) ? [] : [written(name, type, was)];
  });
  return added.length > 0 ? withAttributes(rest, ...added) : rest;
}

/** Whether removing the attribute has no effect. */
function isIdle(attribute: AttributeProto, { attributes }: Schema): boolean {
  const { name } = attribute;
  if (name === 'consumed_inputs') return true;
  const values = valuesOf(attribute);
  if (name === 'dilations') return values.every((value) => value === 1);
  const fallback = attributes.get(name)?.fallback;
  const [value] = values;
  if (fallback === undefined || values.length !== 1) return false;
  return typeof value === 'string'
    ? value === fallback
    : Math.fround(value as number) === Math.fround(Number(fallback));
}

function written(name: string, type: string, value: string): AttributeProto {
  if (type === 'int') return int(name, Number(value));
  if (type === 'float') return float(name, Number(value));
  // GRU 1 has this typo in its schema.
  return string(name, value === 'foward' ? 'forward' : value);
}

/** Old versions of Constant that exporters use with any type. */
const ANY_TYPE: ReadonlySet<string> = new Set(['Constant 1']);

/**
 * Checks that the target version supports the number and types of operands. A type that neither version supports is
 * ignored.
 */
function fitOperands(
  { typeOf, from, to }: Fitting,
  names: readonly string[],
  before: readonly Formal[],
  formals: readonly Formal[],
  what: string,
): void {
  const { name, since } = to;
  needOperands(names, formals, what, to);
  if (ANY_TYPE.has(`${name} ${since}`)) return;
  for (const [i, value] of names.entries()) {
    const type = textOf(typeOf(value));
    if (!type || takes(formalAt(formals, i), to, type) || !takes(formalAt(before, i), from, type)) continue;
    block(`${name} ${since} does not support the ${what} "${value}" of type ${type}`);
  }
}

function needOperands(
  names: readonly string[],
  formals: readonly Formal[],
  what: string,
  { name, since, deprecated }: Schema,
): void {
  if (deprecated) return;
  const [least, most] = arityOf(formals);
  const count = names.findLastIndex(Boolean) + 1;
  if (count < least || count > most) block(`${name} ${since} takes ${least} to ${most} ${what}s, got ${count}`);
  for (const [i, formal] of formals.entries())
    if (formal.option === 'single' && !names[i]) block(`${name} ${since} needs the ${what} "${formal.name}"`);
}

const takes = (formal: Formal | undefined, { types }: Schema, type: string): boolean =>
  !formal || (types.get(formal.type)?.has(type) ?? formal.type === type);

/** Checks that operands with the same type variable have the same type. */
function agree({ typeOf, from, to }: Fitting, node: NodeProto): void {
  const bound = new Map<string, string>();
  for (const [i, value] of node.input.entries()) {
    const [formal, before] = [formalAt(to.inputs, i), formalAt(from.inputs, i)];
    const type = textOf(typeOf(value));
    if (!formal || !type || formal.mixed || !to.types.has(formal.type)) continue;
    const other = bound.get(formal.type) ?? type;
    if (other !== type && before?.type !== formal.type)
      block(`${to.name} ${to.since} needs inputs of one type, got ${other} and ${type}`);
    bound.set(formal.type, other);
  }
}

/** A type in the format of the schemas, such as `seq(float32)`. */
function textOf(type: ValueType | undefined): string | undefined {
  if (!type || type.kind === 'map') return undefined;
  if (type.kind === 'tensor') return type.element;
  if (type.kind === 'sparse') return undefined;
  const inner = textOf(type.of);
  return inner && `${type.kind === 'sequence' ? 'seq' : 'optional'}(${inner})`;
}
