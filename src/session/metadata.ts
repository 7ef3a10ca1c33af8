import type { Value } from '../graph/graph.js';
import type { ValueType } from '../graph/types.js';
import type { ElementType } from '../tensor/element-types.js';

/** What a model says of an input or output. */
export type ValueMetadata = (
  | {
      readonly name: string;
      readonly isTensor: true;
      readonly type: ElementType;
      readonly shape: readonly (number | string)[];
    }
  | { readonly name: string; readonly isTensor: false; readonly valueType: ValueType | undefined }
) & {
  /** Present on an input that need not be fed. */
  readonly hasDefault?: true;
};

export function metadataOf({ name, type }: Value): ValueMetadata {
  return type?.kind === 'tensor'
    ? { name, isTensor: true, type: type.element, shape: type.dims ?? [] }
    : { name, isTensor: false, valueType: type };
}

export const inputMetadataOf = (input: Value): ValueMetadata =>
  input.constant ? { ...metadataOf(input), hasDefault: true } : metadataOf(input);
