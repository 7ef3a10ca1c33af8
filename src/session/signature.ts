import type { ElementType } from '../tensor/element-types.js';
import type { Tensor } from '../tensor/tensor.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';

/**
 * The types of a model's inputs or outputs by name: an element type for a tensor, or the TypeScript type of the value, as in `{ image:
 * 'float32', boxes: Tensor<'float32'>[], mask: Tensor<'bool'> | null }`.
 */
export type Signature<S> = { readonly [N in keyof S]: ElementType | HostValue };

/** Values of any kind, by name. */
export type AnyValues = Record<string, HostValue>;
/** Outputs that are tensors, as in most models. */
export type AnyOutputs = Record<string, Tensor>;

export type NameOf<S> = keyof S & string;

/** Values that can be fed: tensors of any class. */
export type FeedOf<S> = HostValue extends S ? HostValue : ElementType extends S ? TensorValue : FeedOfEach<S>;

type FeedOfEach<S> = S extends ElementType
  ? TensorValue<S>
  : S extends TensorValue<infer T>
    ? TensorValue<T>
    : S extends readonly (infer E)[]
      ? readonly FeedOf<E>[]
      : S;

/** A value that a run returns. */
export type ResultOf<S> = S extends ElementType ? Tensor<S> : S;
