import { LATER, OwnTensor, type TensorData } from './tensor.js';
import type { TensorValue } from './tensor-value.js';

/** A tensor that loads its data on first access, and then owns it. */
export abstract class LazyTensor extends OwnTensor {
  #isUnread = true;

  /** One getter for all instances: with a getter each, tensors would be in dictionary mode, of a kilobyte each. */
  static readonly #unread: PropertyDescriptor & ThisType<LazyTensor> = {
    get() {
      return this.#own();
    },
    configurable: true,
    enumerable: true,
  };

  constructor(type: TensorValue['type'], dims: readonly number[]) {
    super(type, LATER, Object.isFrozen(dims) ? dims : Object.freeze([...dims]));
    Object.defineProperty(this, 'data', LazyTensor.#unread);
  }

  /** A copy of the data, which stay in place. */
  abstract read(): TensorData;

  /** Whether `value` is a lazy tensor whose data has not been read. */
  static is(value: unknown): value is LazyTensor {
    return typeof value === 'object' && value !== null && #isUnread in value && value.#isUnread;
  }

  #own(): TensorData {
    const data = this.read();
    this.#isUnread = false;
    Object.defineProperty(this, 'data', { value: data });
    return data;
  }

  override dispose(): void {
    this.#isUnread = false;
    super.dispose();
  }
}
