/**
 * The location of a tensor in a model: an initializer by name, or a tensor of a node's attribute. With `isReal`, the dequantized
 * values of a quantized initializer.
 */
export type TensorAt =
  | { readonly graph: string; readonly name: string; readonly isReal?: true }
  | { readonly graph: string; readonly node: number; readonly attribute: string; readonly at: number };

/** Facts about a tensor that are known before its data is read. */
export interface TensorFacts {
  readonly at: TensorAt;
  readonly type: string;
  readonly dims: readonly number[];
  readonly count: number;
  /** The stored size of its elements in bytes; NaN for strings. */
  readonly bytes: number;
  /** The file that holds its data; '' for the model's own. */
  readonly file: string;
  readonly isSparse: boolean;
  /** The name of the value, for an initializer or a Constant. */
  readonly name?: string;
  /** Whether it is stored without a tensor, such as a Constant's `value_floats`; its elements cannot be changed individually. */
  readonly isSpelled?: boolean;
  /** Whether a DequantizeLinear node defines its real values. */
  readonly isQuantized?: boolean;
}

export interface Histogram {
  /** The lower end of the first bar; each bar is `width` wide. */
  readonly low: number;
  readonly width: number;
  readonly counts: Float64Array;
}

export interface Summary {
  readonly count: number;
  readonly nan: number;
  readonly infinite: number;
  readonly zeros: number;
  /** NaN if there is no finite element, like the next three. */
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly deviation: number;
  /** The number of elements over five standard deviations from the mean, accurate to a bin width, 2⁻¹⁴ of the largest. */
  readonly outliers: number;
  readonly histogram: Histogram;
}

export interface TensorPicture {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  /** RGBA. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  /** The numbers at the ends of the color scale. */
  readonly low: number;
  readonly high: number;
}

/** A window into a tensor viewed as matrices of its last two dims. */
export interface CellWindow {
  /** The first element of the matrix. */
  readonly offset: number;
  /** The number of elements in a row of the matrix. */
  readonly columns: number;
  readonly rowBegin: number;
  readonly rowEnd: number;
  readonly columnBegin: number;
  readonly columnEnd: number;
}

/** Views of a tensor: in a worker from a `Readable`, on the page through that worker. */
export interface TensorLook {
  /** Undefined for strings. */
  summary(): Promise<Summary | undefined>;
  /** Undefined for strings and complex numbers, and for fewer than two elements. */
  picture(): Promise<TensorPicture | undefined>;
  cells(window: CellWindow): Promise<string[]>;
  /** A .npy file; types that NumPy lacks are saved as float32. */
  npy(): Promise<Blob>;
}
