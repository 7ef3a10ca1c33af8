import type { ElementType } from '../tensor/element-types.js';
import type { Value } from './graph.js';
import { type Dim, dimOf, mapSizes, sizeOf, tensorType, type ValueType } from './types.js';

/** Metadata of an input or output. */
export type ValueMetadata<N extends string = string> = (
  | {
      readonly name: N;
      readonly isTensor: true;
      readonly type: ElementType;
      readonly shape: readonly Dim[];
    }
  | { readonly name: N; readonly isTensor: false; readonly valueType: ValueType<Dim> | undefined }
) & {
  /** Present on an input that need not be fed. */
  readonly hasDefault?: true;
};

export function metadataOf<N extends string>({ name: known, type }: Value): ValueMetadata<N> {
  const name = known as N;
  const shown = type && mapSizes(type, dimOf);
  return shown?.kind === 'tensor'
    ? { name, isTensor: true, type: shown.element, shape: shown.dims ?? [] }
    : { name, isTensor: false, valueType: shown };
}

/** The type that the metadata describes; undefined if it describes none. */
export const typeIn = (value: ValueMetadata): ValueType | undefined =>
  value.isTensor
    ? tensorType(value.type, value.shape.map(sizeOf))
    : value.valueType && mapSizes(value.valueType, sizeOf);

export const inputMetadataOf = <N extends string>(input: Value): ValueMetadata<N> =>
  input.constant ? { ...metadataOf<N>(input), hasDefault: true } : metadataOf<N>(input);
