import type { TensorShapeProto, TypeProto, ValueInfoProto } from '../../../../build/onnx.js';
import { toBigInt, toNumber } from '../../../model/int64.js';
import { at, type Context, eachRepeated, error, fieldName, has, needs, type Rule, warning } from '../context.js';
import { MAX_NESTING } from '../type-text.js';
import { knownElement } from './extent.js';
import { metadata, since } from './metadata.js';

/** An input or output, or what value_info says of a value. `isBorder`: those of the main graph say type and shape. */
export const valueInfoRules = (isBorder: boolean): readonly Rule<ValueInfoProto>[] => [
  (info, c) => needs(info, 'name', c),
  (info, c) => {
    if (isBorder && !info.type) error(at(c, 'type'), 'MISSING', 'type is missing', { value: info.name });
  },
  (info, c) => {
    if (info.type) checkType(info.type, at(c, 'type'), { value: info.name, isBorder, depth: 0 });
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
      error(at(c, 'key_type'), 'TYPE', `the keys of a map are integers or strings, not ${key}`, { value: s.value });
    inner(valueType, 'value_type', c, s);
  },
  opaqueType: ({ name }, c, { value }) => {
    if (!name) error(at(c, 'name'), 'MISSING', 'an opaque type needs a name', { value });
  },
};

const NEW_KINDS: Partial<Record<Kind, number>> = { sparseTensorType: 8, optionalType: 8 };

/** A type, and those inside it. */
export function checkType(type: TypeProto, c: Context, s: Surroundings): void {
  const kind = (Object.keys(KINDS) as Kind[]).find((field) => has(type, field));
  if (!kind) {
    error(c, 'TYPE', 'the type says nothing', { value: s.value, hint: 'set tensor_type or another' });
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
      hint: 'inputs and outputs of a model have one, if only of sizes without a value',
    });
}

function container({ elemType }: { readonly elemType?: TypeProto | null }, c: Context, s: Surroundings): void {
  inner(elemType, 'elem_type', c, s);
}

function inner(type: TypeProto | null | undefined, field: string, c: Context, s: Surroundings): void {
  const place = at(c, field);
  if (!type) error(place, 'MISSING', `${field} is missing`, { value: s.value });
  else if (s.depth === MAX_NESTING)
    error(place, 'NESTING', `types are in types more than ${MAX_NESTING} deep: what is inside is not looked at`);
  else checkType(type, place, { ...s, depth: s.depth + 1 });
}

function checkShape({ dim }: TensorShapeProto, c: Context, value: string): void {
  for (const [i, { dimValue }] of dim.entries())
    if (dimValue !== undefined && dimValue !== null && toNumber(dimValue) < 0)
      warning(at(c, 'dim', i), 'SHAPE', `the size ${toBigInt(dimValue)} is negative`, {
        value,
        hint: 'a size that is not known has no dim_value, or a dim_param',
      });
}

/** Entries of a list of values are there once. */
export function uniqueValues(list: readonly ValueInfoProto[], field: string, what: string, c: Context): void {
  eachRepeated(
    list.filter(({ name }) => name !== ''),
    ({ name }) => name,
    ({ name }) => warning(at(c, field), 'DUPLICATE', `${what} "${name}" is listed twice`, { value: name }),
  );
}
