import type { ElementType } from '../tensor/element-types.js';
import type { Tensor } from '../tensor/tensor.js';
import type { HostValue, TensorValue } from '../tensor/tensor-value.js';

/**
 * What a model's inputs or outputs are, by name: an element type for a tensor, else the type of the value, as
 * `{ image: 'float32', boxes: Tensor<'float32'>[], mask: Tensor<'bool'> | null }`.
 */
export type Signature<S> = { readonly [N in keyof S]: ElementType | HostValue };

/** Values of any kind, by name. */
export type AnyValues = Record<string, HostValue>;
/** Outputs that are tensors, as those of most models. */
export type AnyOutputs = Record<string, Tensor>;

export type NameOf<S> = keyof S & string;

/** What may be fed for a value: tensors of whichever class. */
export type FeedOf<S> = HostValue extends S ? HostValue : ElementType extends S ? TensorValue : FeedOfEach<S>;

type FeedOfEach<S> = S extends ElementType
  ? TensorValue<S>
  : S extends TensorValue<infer T>
    ? TensorValue<T>
    : S extends readonly (infer E)[]
      ? readonly FeedOf<E>[]
      : S;

/** What a run gives for a value. */
export type ResultOf<S> = S extends ElementType ? Tensor<S> : S;
