import type { ElementType } from '../../../tensor/element-types.js';
import { GrowingTensor } from '../../../tensor/growing-tensor.js';
import { LazyTensor } from '../../../tensor/lazy-tensor.js';
import { arrayOf, storedAnew } from '../../../tensor/stored-rows.js';
import type { TensorData } from '../../../tensor/tensor.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';

/** Consecutive matrices, each with room for more rows. */
export interface Extent {
  readonly matrices: number;
  readonly rowBytes: number;
  /** Rows from the start of one matrix to that of the next. */
  readonly pitch: number;
}

/** Rows that grow, in linear memory, or on the host if others need the memory. */
export interface Cache extends Extent {
  /** The types that the rows are shown as and stored as. */
  readonly type: ElementType;
  readonly stored: ElementType;
  /** The number of rows that tensors show; rows from here on are free. */
  filled: number;
  /** Whether tensors show a copy of its rows, so that the next run overwrites them. */
  isPassing: boolean;
  /** On the host without gaps between matrices. */
  held: { readonly address: number } | { readonly bytes: Uint8Array };
}

/** The owner of caches. */
interface Holder {
  /** The first rows, without gaps between matrices. */
  read(cache: Cache, rows: number): Uint8Array;
  free(cache: Cache): void;
}

/** The first rows of a cache, which do not change when others are appended. */
export class CachedTensor extends GrowingTensor {
  readonly #cache: Cache;
  readonly #holder: Holder;

  constructor(dims: readonly number[], cache: Cache, holder: Holder) {
    super(cache.type, dims);
    this.#cache = cache;
    this.#holder = holder;
  }

  override get stored(): ElementType {
    return this.#cache.stored;
  }

  /** The cache of this holder whose rows `value` shows, unless its data has been read. */
  static cacheOf(value: TensorValue, holder: Holder): Cache | undefined {
    return #cache in value && LazyTensor.is(value) && value.#holder === holder ? value.#cache : undefined;
  }

  override first(rows: number, isSole: boolean): CachedTensor {
    if (isSole) this.#cache.filled = rows;
    return new CachedTensor(this.dims.with(-2, rows), this.#cache, this.#holder);
  }

  override read(): TensorData {
    return arrayOf(this.type, storedAnew(this.kept(), this.dims, this.stored, this.type));
  }

  protected override kept(): Uint8Array {
    return this.#holder.read(this.#cache, this.dims.at(-2) as number);
  }

  override letGo(): void {
    this.#holder.free(this.#cache);
  }
}
