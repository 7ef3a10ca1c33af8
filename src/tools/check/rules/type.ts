import type { TensorShapeProto, TypeProto, ValueInfoProto } from '../../../../build/onnx.js';
import { toBigInt, toNumber } from '../../../model/int64.js';
import {
  at,
  type Context,
  eachRepeated,
  entriesOf,
  error,
  fieldName,
  has,
  needs,
  type Rule,
  warning,
} from '../context.js';
import { MAX_NESTING } from '../type-text.js';
import { knownElement } from './extent.js';
import { metadata, since } from './metadata.js';

/**
 * Rules for an input, an output or an entry of value_info. `isBorder`: it is an input or output of the main graph,
 * which must declare a type. Elsewhere, the type may be missing, as in onnx.checker: published models have branches
 * with untyped outputs.
 */
export const valueInfoRules = (isBorder: boolean): readonly Rule<ValueInfoProto>[] => [
  (info, c) => needs(info, 'name', c),
  (info, c) => {
    if (isBorder && !info.type) error(at(c, 'type'), 'MISSING', 'type is missing', { value: info.name });
  },
  (info, c) => {
    if (info.type && (isBorder || !isOpen(info.type)))
      checkType(info.type, at(c, 'type'), { value: info.name, isBorder, depth: 0 });
  },
  metadata,
];

interface Surroundings {
  readonly value: string;
  readonly isBorder: boolean;
  readonly depth: number;
}

type Kind = Exclude<TypeProto['value'], undefined>;

const KINDS: { readonly [K in Kind]: (type: NonNullable<TypeProto[K]>, c: Context, s: Surroundings) => void } = {
  tensorType: tensorLike,
  sparseTensorType: tensorLike,
  sequenceType: container,
  optionalType: container,
  mapType: ({ keyType, valueType }, c, s) => {
    const key = knownElement(keyType, at(c, 'key_type'), s.value);
    if (key && !/^(u?int(8|16|32|64)|string)$/.test(key))
      error(at(c, 'key_type'), 'TYPE', `map keys must be integers or strings, not ${key}`, { value: s.value });
    inner(valueType, 'value_type', c, s);
  },
  opaqueType: ({ name }, c, { value }) => {
    if (!name) error(at(c, 'name'), 'MISSING', 'the opaque type has no name', { value });
  },
};

const NEW_KINDS: Partial<Record<Kind, number>> = { sparseTensorType: 8, optionalType: 8 };

/** Whether the type or element type is missing. */
function isOpen(type: TypeProto): boolean {
  const kind = kindOf(type);
  return kind === undefined || type.tensorType?.elemType === 0 || type.sparseTensorType?.elemType === 0;
}

const kindOf = (type: TypeProto): Kind | undefined => (Object.keys(KINDS) as Kind[]).find((field) => has(type, field));

/** Checks a type and the types inside it. */
export function checkType(type: TypeProto, c: Context, s: Surroundings): void {
  const kind = kindOf(type);
  if (!kind) {
    error(c, 'TYPE', 'the type is empty', { value: s.value, hint: 'set tensor_type or another type' });
    return;
  }
  const field = fieldName(kind);
  const version = NEW_KINDS[kind];
  if (version) since(version, field, at(c, field));
  (KINDS[kind] as (type: unknown, c: Context, s: Surroundings) => void)(type[kind], at(c, field), s);
}

function tensorLike({ elemType, shape }: TypeProto.Tensor | TypeProto.SparseTensor, c: Context, s: Surroundings): void {
  knownElement(elemType, at(c, 'elem_type'), s.value);
  if (shape) checkShape(shape, at(c, 'shape'), s.value);
  else if (s.isBorder && s.depth === 0)
    error(at(c, 'shape'), 'MISSING', 'shape is missing', {
      value: s.value,
      hint: 'inputs and outputs of a model must have a shape; its dimensions may be dynamic',
    });
}

function container({ elemType }: { readonly elemType?: TypeProto | null }, c: Context, s: Surroundings): void {
  inner(elemType, 'elem_type', c, s);
}

function inner(type: TypeProto | null | undefined, field: string, c: Context, s: Surroundings): void {
  const place = at(c, field);
  if (!type) error(place, 'MISSING', `${field} is missing`, { value: s.value });
  else if (s.depth === MAX_NESTING)
    error(place, 'NESTING', `types are nested more than ${MAX_NESTING} deep; inner types are not checked`);
  else checkType(type, place, { ...s, depth: s.depth + 1 });
}

function checkShape({ dim }: TensorShapeProto, c: Context, value: string): void {
  for (const [i, { dimValue }] of dim.entries())
    if (dimValue !== undefined && dimValue !== null && toNumber(dimValue) < 0)
      warning(at(c, 'dim', i), 'SHAPE', `the dimension ${toBigInt(dimValue)} is negative`, {
        value,
        hint: 'for a dynamic dimension, leave out dim_value or set dim_param',
      });
}

/** Whether two tensor types have different element types, ranks or sizes. */
function contradict(a: ValueInfoProto, b: ValueInfoProto): boolean {
  const [one, other] = [a.type?.tensorType, b.type?.tensorType];
  if (!one || !other) return false;
  if (one.elemType && other.elemType && one.elemType !== other.elemType) return true;
  const [sizes, others] = [one, other].map(({ shape }) => shape?.dim.map(({ dimValue }) => toNumber(dimValue ?? -1)));
  if (!sizes || !others) return false;
  return (
    sizes.length !== others.length || sizes.some((size, i) => size >= 0 && Number(others[i]) >= 0 && size !== others[i])
  );
}

/** Reports values that are listed twice with different types. */
export function oneTypeEach(list: readonly ValueInfoProto[], field: string, c: Context): void {
  if (!c.types) return;
  const first = new Map<string, ValueInfoProto>();
  for (const [info, place] of entriesOf(list, field, c)) {
    const before = first.get(info.name);
    if (before && contradict(before, info))
      error(at(place, 'type'), 'TYPE_MISMATCH', `"${info.name}" is listed twice with different types`, {
        value: info.name,
      });
    if (!before) first.set(info.name, info);
  }
}

/** Warns of values that are listed twice. */
export function uniqueValues(list: readonly ValueInfoProto[], field: string, what: string, c: Context): void {
  eachRepeated(
    list.filter(({ name }) => name !== ''),
    ({ name }) => name,
    ({ name }) => warning(at(c, field), 'DUPLICATE', `duplicate ${what} "${name}"`, { value: name }),
  );
}
