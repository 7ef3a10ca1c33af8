import type { ElementType } from '../tensor/element-types.js';
import type { Value } from './graph.js';
import { tensorType, type ValueType } from './types.js';

/** Metadata of an input or output. */
export type ValueMetadata<N extends string = string> = (
  | {
      readonly name: N;
      readonly isTensor: true;
      readonly type: ElementType;
      readonly shape: readonly (number | string)[];
    }
  | { readonly name: N; readonly isTensor: false; readonly valueType: ValueType | undefined }
) & {
  /** Present on an input that need not be fed. */
  readonly hasDefault?: true;
};

export function metadataOf<N extends string>({ name: known, type }: Value): ValueMetadata<N> {
  const name = known as N;
  return type?.kind === 'tensor'
    ? { name, isTensor: true, type: type.element, shape: type.dims ?? [] }
    : { name, isTensor: false, valueType: type };
}

/** The type that the metadata tell of; undefined where they tell of none. */
export const typeIn = (value: ValueMetadata): ValueType | undefined =>
  value.isTensor ? tensorType(value.type, value.shape) : value.valueType;

export const inputMetadataOf = <N extends string>(input: Value): ValueMetadata<N> =>
  input.constant ? { ...metadataOf<N>(input), hasDefault: true } : metadataOf<N>(input);
