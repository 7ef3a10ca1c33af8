import type { Size } from '../../../graph/sizes.js';
import { ofAnyShape, tensorType, type ValueType } from '../../../graph/types.js';

/** What holds of a value that is of one type or the other: the rank and the sizes that both have. */
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

/** The same in the words of one iteration's sizes: what a symbol stands for in it need not hold in the next. */
export const ofNumbers = (dims: readonly Size[], unknown: () => Size): Size[] =>
  dims.map((d) => (typeof d === 'number' ? d : unknown()));
