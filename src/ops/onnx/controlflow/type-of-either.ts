import type { Size } from '../../../graph/sizes.js';
import { ofAnyShape, tensorType, type ValueType } from '../../../graph/types.js';

/** The type of a value that has one type or the other: the rank and the sizes that both share. */
export function typeOfEither(a: ValueType, b: ValueType, unknown: () => Size): ValueType {
  if ((a.kind === 'optional' || a.kind === 'sequence') && b.kind === a.kind)
    return { ...a, of: typeOfEither(a.of, b.of, unknown) };
  if (a.kind !== 'tensor' || b.kind !== 'tensor') return ofAnyShape(a);
  if (!a.dims || a.dims.length !== b.dims?.length) return tensorType(a.element);
  const { dims } = b;
  return tensorType(
    a.element,
    a.dims.map((d, i) => (d === dims[i] ? d : unknown())),
  );
}

/** Replaces symbols by unknown sizes: a symbol may have a different value in each iteration. */
export const ofNumbers = (dims: readonly Size[], unknown: () => Size): Size[] =>
  dims.map((d) => (typeof d === 'number' ? d : unknown()));
