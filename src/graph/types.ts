import type { ElementType } from '../tensor/element-types.js';
import { formatSize, formatSizes, type Size, symbol } from './sizes.js';

/** The type of a value, with dimensions of type `D`. */
export type ValueType<D = Size> =
  | { readonly kind: 'tensor'; readonly element: ElementType; readonly dims?: readonly D[] }
  | { readonly kind: 'sparse'; readonly element: ElementType; readonly dims?: readonly D[] }
  | { readonly kind: 'sequence'; readonly of: ValueType<D> }
  | { readonly kind: 'optional'; readonly of: ValueType<D> }
  | { readonly kind: 'map'; readonly key: ElementType; readonly value: ValueType<D> };

export type TensorType = Extract<ValueType, { kind: 'tensor' }>;

/** A dimension as callers see it: a size, or its name. */
export type Dim = number | string;

export const dimOf = (size: Size): Dim => (typeof size === 'number' ? size : formatSize(size));

export const sizeOf = (dim: Dim | Size): Size => (typeof dim === 'string' ? symbol(dim) : dim);

/** `dims` undefined: the rank is unknown. */
export const tensorType = (element: ElementType, dims?: readonly Size[]): TensorType =>
  dims ? { kind: 'tensor', element, dims } : { kind: 'tensor', element };

/** The type without shapes, for values whose shapes may change. */
export function ofAnyShape<T extends ValueType | null>(type: T): T | ValueType {
  if (type?.kind === 'tensor') return tensorType(type.element);
  if (type?.kind === 'sequence' || type?.kind === 'optional') return { ...type, of: ofAnyShape(type.of) };
  return type;
}

/** The type with other sizes. */
export function mapSizes<D, E>(type: ValueType<D>, size: (size: D) => E): ValueType<E> {
  switch (type.kind) {
    case 'tensor':
    case 'sparse':
      return (type.dims ? { ...type, dims: type.dims.map(size) } : type) as ValueType<E>;
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
    (dims.length === tensor.dims.length && dims.every((dim, i) => typeof dim !== 'number' || dim === tensor.dims[i]))
  );
}

/** A type in ONNX's notation, e.g. `float32[batch,3,224,224]`, `seq(int64[])`. */
export function formatType(type: ValueType<Size | string> | undefined): string {
  if (!type) return '?';
  switch (type.kind) {
    case 'tensor':
      return `${type.element}[${type.dims ? formatSizes(type.dims) : '…'}]`;
    case 'sparse':
      return `sparse(${type.element}[${type.dims ? formatSizes(type.dims) : '…'}])`;
    case 'sequence':
      return `seq(${formatType(type.of)})`;
    case 'optional':
      return `optional(${formatType(type.of)})`;
    case 'map':
      return `map(${type.key},${formatType(type.value)})`;
  }
}
