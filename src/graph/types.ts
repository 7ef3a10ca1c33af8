import type { ElementType } from '../tensor/element-types.js';

/** A dimension: its size, or a symbol. Equal symbols are equal sizes; every unknown size has its own symbol. */
export type Dim = number | string;

export type ValueType =
  | { readonly kind: 'tensor'; readonly element: ElementType; readonly dims?: readonly Dim[] }
  | { readonly kind: 'sparse'; readonly element: ElementType; readonly dims?: readonly Dim[] }
  | { readonly kind: 'sequence'; readonly of: ValueType }
  | { readonly kind: 'optional'; readonly of: ValueType }
  | { readonly kind: 'map'; readonly key: ElementType; readonly value: ValueType };

export type TensorType = Extract<ValueType, { kind: 'tensor' }>;

/** `dims` undefined: the rank is unknown. */
export const tensorType = (element: ElementType, dims?: readonly Dim[]): TensorType =>
  dims ? { kind: 'tensor', element, dims } : { kind: 'tensor', element };

/** The type of a value whose shape, or that of its elements, may change. */
export function ofAnyShape<T extends ValueType | null>(type: T): T | ValueType {
  if (type?.kind === 'tensor') return tensorType(type.element);
  if (type?.kind === 'sequence' || type?.kind === 'optional') return { ...type, of: ofAnyShape(type.of) };
  return type;
}

/** The type with other sizes. */
export function mapSizes(type: ValueType, size: (size: Dim) => Dim): ValueType {
  switch (type.kind) {
    case 'tensor':
    case 'sparse':
      return type.dims ? { ...type, dims: type.dims.map(size) } : type;
    case 'sequence':
    case 'optional':
      return { ...type, of: mapSizes(type.of, size) };
    case 'map':
      return { ...type, value: mapSizes(type.value, size) };
  }
}

/** Whether a tensor is of that type; symbolic dimensions admit every size. */
export function admits(
  type: ValueType,
  tensor: { readonly type: ElementType; readonly dims: readonly number[] },
): boolean {
  if ((type.kind !== 'tensor' && type.kind !== 'sparse') || type.element !== tensor.type) return false;
  const { dims } = type;
  return (
    !dims ||
    (dims.length === tensor.dims.length && dims.every((dim, i) => typeof dim === 'string' || dim === tensor.dims[i]))
  );
}

/** A type in ONNX's notation, e.g. `float32[batch,3,224,224]`, `seq(int64[])`. */
export function formatType(type: ValueType | undefined): string {
  if (!type) return '?';
  switch (type.kind) {
    case 'tensor':
      return `${type.element}[${type.dims ? type.dims.join(',') : '…'}]`;
    case 'sparse':
      return `sparse(${type.element}[${type.dims ? type.dims.join(',') : '…'}])`;
    case 'sequence':
      return `seq(${formatType(type.of)})`;
    case 'optional':
      return `optional(${formatType(type.of)})`;
    case 'map':
      return `map(${type.key},${formatType(type.value)})`;
  }
}
