import { tensor } from '../../src/builder/index.js';
import type { ElementType } from '../../src/tensor/element-types.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import type { Case, Draw } from './case.js';

/** What a case of MatMulNBits has. */
export interface Kind {
  /** Dims of A. */
  readonly a: readonly number[];
  readonly n: number;
  readonly bits?: number;
  readonly block?: number;
  readonly level?: number;
  readonly type?: ElementType;
  readonly zeros?: 'packed' | 'floats';
  /** Rows of B name their blocks. */
  readonly groups?: boolean;
  readonly bias?: boolean;
  /** Nothing is constant. */
  readonly fed?: boolean;
}

/** Multiples of 1/64 up to 127/64, which stands in every eighth place of a row: 8 bits hold them exactly, whatever the block. */
export function eighthBits({ int }: Draw, dims: readonly number[], type: ElementType): TensorValue {
  const columns = dims.at(-1) as number;
  const count = dims.reduce((n, d) => n * d, 1);
  return tensor(
    type,
    dims,
    Array.from({ length: count }, (_, i) => ((i % columns) % 8 === 0 ? 127 : int(-127, 127)) / 64),
  );
}

/** Weights are of at most some 0.1. */
export function caseOf(draw: Draw, kind: Kind): Case {
  const { floats, ints, chance } = draw;
  const { a, n, bits = 4, block = 32, level, type = 'float32', zeros, groups, bias, fed } = kind;
  const k = a.at(-1) as number;
  const blocks = Math.ceil(k / block);
  const isFlat = chance(0.5);
  const rows = (...dims: readonly number[]) => (isFlat ? [dims.reduce((x, d) => x * d, 1)] : dims);
  const zeroPoints = {
    packed: () => ints('uint8', rows(n, Math.ceil((blocks * bits) / 8)), 0, 255),
    floats: () => floats(rows(n, blocks), 1, 2 ** (bits - 1), type),
  };
  const inputs: (TensorValue | null)[] = [
    level === 4 ? eighthBits(draw, a, type) : floats(a, 1, 0, type),
    ints('uint8', [n, blocks, (block * bits) / 8], 0, 255),
    floats(rows(n, blocks), 0.05 / 2 ** bits, 0.1 / 2 ** bits, type),
    zeros ? zeroPoints[zeros]() : null,
    groups ? ints('int32', [k], 0, blocks - 1) : null,
    bias ? floats([n], 1, 0, type) : null,
  ];
  return {
    label: JSON.stringify(kind),
    inputs,
    constants: fed ? [] : [1, 2, 3, 4, 5].filter((i) => inputs[i]),
    attributes: { K: k, N: n, bits, block_size: block, ...(level !== undefined && { accuracy_level: level }) },
  };
}
