import type { NBitMatrix } from '../../../primitives/n-bit-blocks.js';
import type { Lowering } from '../lowering.js';

const [LEAST_SCALE, MOST_SCALE] = [1 << 14, (1 << 15) - 1];

/** Numbers as 16-bit multiples of a unit. */
interface Units {
  readonly counts: readonly number[];
  readonly unit: number;
}

const known = new WeakMap<readonly number[], Units>();

/**
 * Finds the unit with the smallest rounding error for numbers in −1…1: FP4 values are exact multiples of it, NF4 values
 * are off by about 10⁻⁵ at most.
 */
function inUnits(meanings: readonly number[]): Units {
  const found = known.get(meanings);
  if (found) return found;
  let [scale, least] = [MOST_SCALE, Number.POSITIVE_INFINITY];
  for (let tried = MOST_SCALE; tried >= LEAST_SCALE; tried--) {
    const error = meanings.reduce((most, x) => Math.max(most, Math.abs(x * tried - Math.round(x * tried)) / tried), 0);
    if (error < least) [scale, least] = [tried, error];
  }
  const units = { counts: meanings.map((x) => Math.round(x * scale)), unit: 1 / scale };
  known.set(meanings, units);
  return units;
}

const upper = (count: number) => (count + 0x8000) >> 8;
const lower = (count: number) => (count + 0x8000) & 255;

/** The table in which a kernel looks up the values of codes; 0 if the codes are integers. */
export function meaningsOf(c: Lowering, { meanings }: NBitMatrix) {
  if (!meanings) return { meanings: 0, unit: 0 };
  const { counts, unit } = inUnits(meanings);
  const bytes = Uint8Array.from([...counts.map(upper), ...counts.map(lower)]);
  return { meanings: c.table(new Int32Array(bytes.buffer)), unit };
}
