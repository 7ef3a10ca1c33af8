import { reading } from '../base/arguments.js';
import { SardonyxError } from '../base/errors.js';
import type { ElementType } from '../tensor/element-types.js';
import { LazyTensor } from '../tensor/lazy-tensor.js';
import { OwnTensor, type TensorData } from '../tensor/tensor.js';
import { convertedList, toCommonData, toOwnData } from './element-data.js';
import {
  dataUrlOf,
  type ImageSource,
  imageDataOf,
  pictureTensor,
  type TensorFromImageDataOptions,
  type TensorToImageDataOptions,
} from './images.js';

interface Located {
  readonly location: string;
  readonly type: ElementType;
  readonly data: TensorData;
  readonly dims: readonly number[];
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const isLocated = (first: unknown): first is Located =>
  reading('the tensor', () => typeof first === 'object' && first !== null && 'location' in first);

/** Sardonyx's tensor with the additional members of onnxruntime-common's. */
export class CompatibleTensor extends OwnTensor {
  /** The name in consoles, also when minified. */
  static override readonly name = 'Tensor';
  #shown: LazyTensor | null = null;

  constructor(first: never, second?: never, third?: never) {
    if (isLocated(first)) {
      const { location, type, data, dims } = first as Located;
      if (location !== 'cpu-pinned') throw noGpu(location);
      super(type, toOwnData(type, data), dims);
      (this as { location: string }).location = location;
    } else if (typeof first === 'string') {
      super(first, toOwnData(first, convertedList(first, second) as never), third);
    } else {
      super(first, second);
    }
    const own = this as Mutable<OwnTensor>;
    own.data = toCommonData(this.type, this.data);
    own.dims = [...this.dims];
  }

  /** A tensor around a lazy one, whose data is read on access. */
  static of(lazy: LazyTensor): CompatibleTensor {
    const shown = new CompatibleTensor(lazy.type as never, [] as never, [0] as never);
    shown.#shown = lazy;
    Object.defineProperty(shown, 'dims', { value: [...lazy.dims] });
    Object.defineProperty(shown, 'data', { get: () => toCommonData(lazy.type, lazy.data), configurable: true });
    return shown;
  }

  /** The lazy tensor behind `value`, if its data has not been read. */
  static shownBy(value: object): LazyTensor | undefined {
    const shown = #shown in value ? value.#shown : undefined;
    return LazyTensor.is(shown) ? shown : undefined;
  }

  override dispose(): void {
    this.#shown?.dispose();
    super.dispose();
  }

  // Undocumented in onnxruntime-common, but used by applications.

  get cpuData(): TensorData | undefined {
    return this.location === 'none' ? undefined : this.data;
  }
  get dataLocation(): string {
    return this.location;
  }
  ensureValid(): void {
    if (this.location === 'none') throw new SardonyxError('RELEASED', 'The tensor is disposed.');
  }

  override reshape(dims: readonly number[]): CompatibleTensor {
    return new CompatibleTensor(this.type as never, this.data as never, dims as never);
  }

  /** Synchronous, as in onnxruntime-common, while Sardonyx's own returns a promise. No other return type fits both. */
  override toImageData(options?: TensorToImageDataOptions): never {
    return imageDataOf(this, options) as never;
  }

  toDataURL(options?: TensorToImageDataOptions): string {
    return dataUrlOf(imageDataOf(this, options));
  }

  get texture(): never {
    throw noGpu('texture');
  }
  get gpuBuffer(): never {
    throw noGpu('gpu-buffer');
  }
  get mlTensor(): never {
    throw noGpu('ml-tensor');
  }

  static override async fromImage(image: ImageSource, options?: TensorFromImageDataOptions): Promise<CompatibleTensor> {
    const { dims, data } = await pictureTensor(image, options);
    return new CompatibleTensor('float32' as never, data as never, dims as never);
  }
  static fromPinnedBuffer(type: ElementType, data: never, dims: readonly number[] = [(data as TensorData).length]) {
    return new CompatibleTensor({ location: 'cpu-pinned', type, data, dims } as never);
  }
  static fromTexture(): never {
    throw noGpu('texture');
  }
  static fromGpuBuffer(): never {
    throw noGpu('gpu-buffer');
  }
  static fromMLTensor(): never {
    throw noGpu('ml-tensor');
  }
}

const noGpu = (location: string) =>
  new SardonyxError(
    'INVALID_ARGUMENT',
    `Sardonyx computes on the CPU: a tensor cannot have the location "${location}"`,
  );
