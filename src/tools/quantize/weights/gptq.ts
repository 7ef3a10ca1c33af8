import { type Codes, clamp, codeOf, type Grid, roundHalfEven, zerosOf } from './blocks.js';
import { inverseFactor } from './inverse-factor.js';

/** The amount to add to the diagonal, as a fraction of its mean. */
const DAMPING = 0.01;

/** The number of columns whose errors are propagated together. Blocks do not cross strips. */
const STRIP = 128;

/** The current weights and the results so far. */
interface Work {
  readonly rows: Float64Array;
  readonly n: number;
  readonly k: number;
  readonly factor: Float64Array;
  readonly grid: Grid;
  readonly found: Codes;
}

/** Sets the scale and zero point of a block in a row. The range includes 0. */
function setLevels({ rows, k, grid, found }: Work, row: number, begin: number, blocks: number): void {
  const { bits, block, symmetric } = grid;
  const most = 2 ** bits - 1;
  let [least, greatest] = [0, 0];
  for (let i = begin; i < Math.min(begin + block, k); i++) {
    const x = rows[row * k + i] as number;
    if (x < least) least = x;
    if (x > greatest) greatest = x;
  }
  const reach = symmetric ? 2 * Math.max(-least, greatest) : greatest - least;
  const scale = Math.fround(reach / most) || 1;
  const at = row * blocks + begin / block;
  found.scales[at] = scale;
  if (found.zeros) found.zeros[at] = clamp(roundHalfEven(-least / scale), 0, most);
}

/** Rounds a weight and stores its error, divided by the factor's diagonal. */
function roundOne(work: Work, row: number, i: number, blocks: number, errors: Float64Array, at: number): void {
  const { rows, k, grid, found, factor } = work;
  const { bits, block } = grid;
  const b = row * blocks + Math.floor(i / block);
  const [scale, zero] = [found.scales[b] as number, found.zeros ? (found.zeros[b] as number) : 2 ** (bits - 1)];
  const x = rows[row * k + i] as number;
  const code = codeOf(x / scale + zero, 2 ** bits - 1);
  found.codes[row * blocks * block + i] = code;
  errors[at] = (x - (code - zero) * scale) / (factor[i * k + i] as number);
}

/** Compensates the error of a weight in the weights from `begin` to `end` of its row. */
function carry({ rows, k, factor }: Work, row: number, i: number, error: number, begin: number, end: number): void {
  for (let j = begin; j < end; j++)
    rows[row * k + j] = (rows[row * k + j] as number) - error * (factor[i * k + j] as number);
}

function roundStrip(work: Work, begin: number, end: number, blocks: number): void {
  const { n, k, grid } = work;
  const errors = new Float64Array(end - begin);
  for (let row = 0; row < n; row++) {
    for (let i = begin; i < end; i++) {
      if (i % grid.block === 0) setLevels(work, row, i, blocks);
      roundOne(work, row, i, blocks, errors, i - begin);
      carry(work, row, i, errors[i - begin] as number, i + 1, end);
    }
    for (let i = begin; i < end; i++) carry(work, row, i, errors[i - begin] as number, end, k);
  }
}

/**
 * GPTQ (https://arxiv.org/abs/2210.17323): rounds weights column by column, and compensates the errors in the remaining
 * columns by the correlation of inputs. `gram` is XᵀX of the inputs.
 */
export function gptq(values: Float32Array, grid: Grid, gram: Float64Array): Codes {
  const k = Math.sqrt(gram.length);
  const blocks = Math.ceil(k / grid.block);
  const room = blocks * grid.block;
  const n = values.length / room;
  const rows = new Float64Array(n * k);
  for (let row = 0; row < n; row++) rows.set(values.subarray(row * room, row * room + k), row * k);
  const zeros = zerosOf(grid, n * blocks);
  const codes = new Uint8Array(values.length).fill(2 ** (grid.bits - 1));
  const found: Codes = { codes, scales: new Float32Array(n * blocks), zeros };
  const work = { rows, n, k, factor: inverseFactor(gram, k, DAMPING), grid, found };
  const strip = Math.max(STRIP, grid.block);
  for (let begin = 0; begin < k; begin += strip) roundStrip(work, begin, Math.min(begin + strip, k), blocks);
  return found;
}
