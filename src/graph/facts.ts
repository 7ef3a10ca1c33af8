import type { TensorValue } from '../tensor/tensor-value.js';
import { integers } from '../tensor/tensor-value.js';
import type { Value } from './graph.js';
import { isKnown, type Size, symbol } from './sizes.js';
import type { ValueType } from './types.js';

/** What is known about a value before the run. */
export interface Fact {
  readonly type: ValueType;
  readonly contents?: TensorValue | undefined;
  /** Contents as sizes, some of them symbols, of an integer tensor of rank 0 or 1. */
  readonly sizes?: readonly Size[] | undefined;
}

const MAX_SIZES = 64;

/** What is known about the values of a graph; constants are known from the start. */
export class Facts {
  readonly #facts = new Map<Value, Fact>();
  /** How many symbols have been made, here and by those forked off: what one finds, another may be told. */
  readonly #symbols: { count: number };

  constructor(
    /** What is known besides; it is not added to any more. */
    private readonly before?: Facts,
  ) {
    this.#symbols = before ? before.#symbols : { count: 0 };
  }

  /** The same facts, to be added to independently. */
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
    const { type, contents } = fact;
    const known = fact.sizes || !contents ? fact : { type, contents, sizes: sizesOf(contents) };
    this.#facts.set(value, known);
    return known;
  }

  has(value: Value): boolean {
    return this.get(value) !== undefined;
  }

  /** A symbol no other size has: those that the model leaves open are numbered from 1 upwards. */
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
