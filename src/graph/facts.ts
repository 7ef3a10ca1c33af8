import type { TensorValue } from '../tensor/tensor-value.js';
import { integers } from '../tensor/tensor-value.js';
import type { Value } from './graph.js';
import { isKnown, type Size, symbol } from './sizes.js';
import type { ValueType } from './types.js';

/** Information about a value before the run. */
export interface Fact {
  readonly type: ValueType;
  readonly contents?: TensorValue | undefined;
  /** Contents of an integer tensor of rank 0 or 1 as sizes, some of them symbols. */
  readonly sizes?: readonly Size[] | undefined;
  /** Whether the contents follow from shapes, which may differ in another run. */
  readonly isOfSizes?: boolean;
}

const MAX_SIZES = 64;

/** Facts about the values of a graph; constants are known from the start. */
export class Facts {
  readonly #facts = new Map<Value, Fact>();
  /** Counts new symbols; shared with forks, because facts pass between them. */
  readonly #symbols: { count: number };

  constructor(
    /** Inherited facts, which no longer change. */
    private readonly before?: Facts,
  ) {
    this.#symbols = before ? before.#symbols : { count: 0 };
  }

  /** The same facts, which can be extended independently. */
  fork(): Facts {
    return new Facts(this);
  }

  get(value: Value): Fact | undefined {
    const fact = this.#facts.get(value) ?? this.before?.get(value);
    if (fact || !value.constant) return fact;
    const { type, dims } = value.constant;
    return this.set(value, { type: { kind: 'tensor', element: type, dims }, contents: value.constant });
  }

  set(value: Value, fact: Fact): Fact {
    const { contents } = fact;
    const known = fact.sizes || !contents ? fact : { ...fact, sizes: sizesOf(contents) };
    this.#facts.set(value, known);
    return known;
  }

  has(value: Value): boolean {
    return this.get(value) !== undefined;
  }

  /** A new symbol, with a negative number; symbols for sizes that the model leaves open are numbered from 1. */
  unknown(): Size {
    return symbol(`?${--this.#symbols.count}`);
  }
}

/** The contents of a small integer tensor of rank 0 or 1. */
export function sizesOf(tensor: TensorValue): readonly number[] | undefined {
  const isIndex = tensor.type === 'int64' || tensor.type === 'int32';
  const isShort = isKnown(tensor.dims) && tensor.dims.length <= 1 && (tensor.dims[0] ?? 1) <= MAX_SIZES;
  return isIndex && isShort ? integers(tensor) : undefined;
}
