import { OwnTensor, type TensorData } from './tensor.js';
import type { TensorValue } from './tensor-value.js';

/** A tensor whose data are elsewhere until they are first asked for, and then its own. */
export class LazyTensor extends OwnTensor {
  #read: (() => TensorData) | null;

  constructor(type: TensorValue['type'], dims: readonly number[], read: () => TensorData) {
    super(type, [], [0]);
    this.#read = read;
    Object.defineProperty(this, 'dims', { value: Object.freeze([...dims]) });
    Object.defineProperty(this, 'data', { get: () => this.#own(), configurable: true, enumerable: true });
  }

  /** Whether `value` is one that nobody has read. */
  static is(value: unknown): value is LazyTensor {
    return typeof value === 'object' && value !== null && #read in value && value.#read !== null;
  }

  /** A copy of the data, which stay where they are. */
  peek(): TensorData {
    return this.#read ? this.#read() : this.data.slice();
  }

  #own(): TensorData {
    const data = (this.#read as () => TensorData)();
    this.#read = null;
    Object.defineProperty(this, 'data', { value: data });
    return data;
  }

  override dispose(): void {
    this.#read = null;
    super.dispose();
  }
}
