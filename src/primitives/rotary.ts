import { areDecided, isAtMost, isSame } from '../graph/guards.js';
import { formatSize, multiply, type Size } from '../graph/sizes.js';
import { int } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { positionOf } from '../schema/positions.js';
import { dimsOfRank, requireDims, sameAsInput } from '../schema/shapes.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { integers } from '../tensor/tensor-value.js';

export const [COS, SIN, POSITIONS] = [1, 2, 3];

export interface RotaryParameters {
  readonly batch: number;
  readonly rows: number;
  readonly heads: number;
  readonly size: number;
  /** Number of leading columns of a head to rotate. */
  readonly width: number;
  /** Elements from a row to the next, and from a head to the next. */
  readonly rowStride: number;
  readonly headStride: number;
  /** Whether the columns of a pair are adjacent instead of half the width apart. */
  readonly interleaved: boolean;
}

/** The same where sizes may be open. */
export type OpenRotary = {
  readonly [F in keyof RotaryParameters]: RotaryParameters[F] extends number ? Size : RotaryParameters[F];
};

/** Rotates pairs of columns of each head by the angles of the row's position. */
export const rotary: Primitive<RotaryParameters> = {
  name: 'rotary',
  facts: { inPlace: true },
  reference(c, p) {
    const [cos, sin, positions] = [c.tensor(COS), c.tensor(SIN), integers(c.tensor(POSITIONS))];
    const [cosines, sines] = [numbersOf(cos), numbersOf(sin)];
    const y = Float64Array.from(numbersOf(c.tensor(0)));
    const half = p.width / 2;
    const [apart, step] = p.interleaved ? [1, 2] : [half, 1];
    for (let row = 0; row < p.batch * p.rows; row++) {
      const batch = Math.floor(row / p.rows);
      const position = positions[row % positions.length] as number;
      const angles = half * positionOf(c, position, cos.dims[0] as number, 0);
      const first = batch * p.rows * p.heads * p.size + (row % p.rows) * p.rowStride;
      for (let head = 0; head < p.heads; head++)
        for (let i = 0; i < half; i++) {
          const at = first + head * p.headStride + i * step;
          const [a, b] = [y[at] as number, y[at + apart] as number];
          const [real, imaginary] = [cosines[angles + i] as number, sines[angles + i] as number];
          y[at] = real * a - imaginary * b;
          y[at + apart] = imaginary * a + real * b;
        }
    }
    return [tensorOf(c.result(0).element, c.result(0).dims, y)];
  },
};

interface Attributes {
  readonly head_axis: number;
  readonly interleaved: number;
}

const rowAxisOf = (c: Inference<Attributes>) => 3 - c.attributes.head_axis;

function check(c: Inference<Attributes>): void {
  const dims = dimsOfRank(c, 0, 4);
  const [rows, half] = dimsOfRank(c, COS, 2) ?? [];
  requireDims(c, SIN, [rows, half]);
  const own = c.dims(POSITIONS)?.[0];
  const isShared = own !== undefined && isSame(own, 1);
  if (dims) requireDims(c, POSITIONS, [isShared ? 1 : dims[0], dims[rowAxisOf(c)]]);
  const size = dims?.[3];
  if (size === undefined || half === undefined || !areDecided([size, half])) return;
  const width = multiply(2, half);
  if (!isAtMost(width, size))
    c.fail(
      'INVALID_SHAPE',
      `turns ${formatSize(width)} of ${formatSize(size)} columns per head of [${dims}]; it takes pairs of whole columns`,
    );
}

function parametersOf(c: Inference<Attributes>): RotaryParameters | undefined {
  const [dims, half] = [c.dims(0), c.dims(COS)?.[1]];
  if (half === undefined || !areDecided(dims) || !areDecided([half])) return undefined;
  const [batch, , , size] = dims as readonly [Size, Size, Size, Size];
  const [rows, heads] = [dims[rowAxisOf(c)] as Size, dims[c.attributes.head_axis] as Size];
  const isBesides = c.attributes.head_axis === 2;
  const open: OpenRotary = {
    ...{ batch, rows, heads, size, width: multiply(2, half) },
    rowStride: isBesides ? multiply(heads, size) : size,
    headStride: isBesides ? size : multiply(rows, size),
    interleaved: c.attributes.interleaved !== 0,
  };
  return open as RotaryParameters;
}

/**
 * RotaryEmbedding of [batch, rows, heads, size], or of [batch, heads, rows, size] if heads are axis 1, by a table of angles. All batches
 * may share their positions.
 */
export const rotaryOperator = defineOp({
  domain: 'sardonyx',
  name: 'RotaryEmbedding',
  signature: 'X: T, cos_cache: T, sin_cache: T, position_ids: int64 -> Y: T',
  types: { T: ['float32', 'float64'] },
  attributes: { head_axis: int(2), interleaved: int(0) },
  guarded: true,
  infer(c) {
    check(c);
    return sameAsInput(c);
  },
  computes: by(rotary, parametersOf),
});
