/**
 * Where in a model a tensor stands: the initializer of that name, or one of a node's attribute. What is `isReal` are the numbers
 * that a quantised initializer stands for.
 */
export type TensorAt =
  | { readonly graph: string; readonly name: string; readonly isReal?: true }
  | { readonly graph: string; readonly node: number; readonly attribute: string; readonly at: number };

/** What a model says of a tensor before its data are read. */
export interface TensorFacts {
  readonly at: TensorAt;
  readonly type: string;
  readonly dims: readonly number[];
  readonly count: number;
  /** Bytes that its elements take, as they are stored; NaN of strings. */
  readonly bytes: number;
  /** The file that holds its data; '' for the model's own. */
  readonly file: string;
  readonly isSparse: boolean;
  /** What the value is called that it is, of an initializer or a Constant. */
  readonly name?: string;
  /** Whether it is written without a tensor, as the `value_floats` of a Constant: its elements are not changed one by one. */
  readonly isSpelled?: boolean;
  /** Whether DequantizeLinear says what numbers it stands for. */
  readonly isQuantized?: boolean;
}

export interface Histogram {
  /** The lower end of the first bar; each is `width` wide. */
  readonly low: number;
  readonly width: number;
  readonly counts: Float64Array;
}

export interface Summary {
  readonly count: number;
  readonly nan: number;
  readonly infinite: number;
  readonly zeros: number;
  /** NaN, as the next three, where there is no finite element. */
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly deviation: number;
  /** Further than five standard deviations from the mean, to the width of a bin, 2⁻¹⁴ of the largest. */
  readonly outliers: number;
  readonly histogram: Histogram;
}

export interface TensorPicture {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity by turns. */
  readonly pixels: Uint8ClampedArray<ArrayBuffer>;
  /** The numbers that the ends of the scale stand for. */
  readonly low: number;
  readonly high: number;
}

/** A window into a tensor seen as matrices of its last two dims. */
export interface CellWindow {
  /** The first element of the matrix. */
  readonly offset: number;
  /** Elements of its rows. */
  readonly columns: number;
  readonly rowBegin: number;
  readonly rowEnd: number;
  readonly columnBegin: number;
  readonly columnEnd: number;
}

/** What can be seen of a tensor: in a worker of a `Readable`, in the page by asking that worker. */
export interface TensorLook {
  /** Undefined of strings. */
  summary(): Promise<Summary | undefined>;
  /** Undefined of strings, and of less than two elements. */
  picture(): Promise<TensorPicture | undefined>;
  cells(window: CellWindow): Promise<string[]>;
  /** A .npy file; types that NumPy lacks as float32. */
  npy(): Promise<Blob>;
}
