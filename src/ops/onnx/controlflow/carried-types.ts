import type { Size } from '../../../graph/sizes.js';
import { formatType, ofAnyShape, type TensorType, tensorType, type ValueType } from '../../../graph/types.js';
import { ofNumbers } from './type-of-either.js';

type Types = readonly (ValueType | null)[];

/** Types of loop-carried values that hold in every iteration: the rank, and the sizes that `step`, one iteration, preserves. */
export function carriedTypes(initial: Types, step: (types: Types) => Types, unknown: () => Size): Types {
  const changing = new Set<Size>();
  const size = (now: Size, next: Size | undefined): Size => {
    if (now === next || changing.has(now)) return now;
    const symbol = unknown();
    changing.add(symbol);
    return symbol;
  };
  const joined = (now: ValueType, next: ValueType | null | undefined): ValueType => {
    if (now.kind !== 'tensor') return ofAnyShape(now);
    if (!now.dims || next?.kind !== 'tensor' || next.dims?.length !== now.dims.length) return tensorType(now.element);
    const { dims } = next;
    const sizes = now.dims.map((d, i) => size(d, dims[i]));
    return sizes.every((d, i) => d === now.dims?.[i]) ? now : tensorType(now.element, sizes);
  };
  for (let types = initial; ; ) {
    const results = step(types);
    const next = types.map((type, i) => type && joined(type, results[i]));
    if (next.every((type, i) => formatType(type ?? undefined) === formatType(types[i] ?? undefined))) return types;
    types = next;
  }
}

/** A type with only its rank known. */
export function ofAnySize<T extends ValueType | null>(type: T, unknown: () => Size): T | ValueType {
  if (type?.kind !== 'tensor') return ofAnyShape(type);
  return tensorType(
    type.element,
    type.dims?.map(() => unknown()),
  );
}

/** Type of the results of all iterations, stacked along a new first axis. */
export const stackedType = ({ element, dims }: TensorType, unknown: () => Size): TensorType =>
  tensorType(element, dims && [unknown(), ...ofNumbers(dims, unknown)]);
