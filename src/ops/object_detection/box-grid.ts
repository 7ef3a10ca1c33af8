import type { Boxes } from './non-max-suppression.js';

const MAX_CELLS = 1 << 14;
/** Boxes over more cells than this are compared with every other instead. */
const MAX_COVERED = 32;

/** Cells over the plane, each with the boxes added that touch it. Cells are about as large as the average box. */
export class Grid {
  readonly #rows: number;
  readonly #columns: number;
  readonly #top: number;
  readonly #left: number;
  readonly #height: number;
  readonly #width: number;
  /** Last entry of each cell; entries are linked backwards. */
  readonly #heads: Int32Array;
  #boxes: number[] = [];
  #previous: number[] = [];
  #large: number[] = [];

  constructor(private readonly boxes: Boxes) {
    const { count, top, left, bottom, right } = boxes;
    [this.#top, this.#height, this.#rows] = axisCells(top, bottom, count);
    [this.#left, this.#width, this.#columns] = axisCells(left, right, count);
    this.#heads = new Int32Array(this.#rows * this.#columns).fill(-1);
  }

  clear(): void {
    this.#heads.fill(-1);
    this.#boxes = [];
    this.#previous = [];
    this.#large = [];
  }

  add(box: number): void {
    const covered = this.#cells(box);
    if (!covered) {
      this.#large.push(box);
      return;
    }
    const [fromRow, toRow, fromColumn, toColumn] = covered;
    for (let row = fromRow; row <= toRow; row++) {
      for (let column = fromColumn; column <= toColumn; column++) {
        const cell = row * this.#columns + column;
        this.#previous.push(this.#heads[cell] as number);
        this.#heads[cell] = this.#boxes.push(box) - 1;
      }
    }
  }

  /** Whether `test` holds of an added box that may touch `box`. */
  some(box: number, test: (other: number) => boolean): boolean {
    if (this.#large.some(test)) return true;
    const [fromRow, toRow, fromColumn, toColumn] = this.#cells(box) ?? [0, this.#rows - 1, 0, this.#columns - 1];
    for (let row = fromRow; row <= toRow; row++) {
      for (let column = fromColumn; column <= toColumn; column++) {
        let entry = this.#heads[row * this.#columns + column] as number;
        for (; entry >= 0; entry = this.#previous[entry] as number) if (test(this.#boxes[entry] as number)) return true;
      }
    }
    return false;
  }

  /** First and last row and column that a box touches; undefined for too many, or where an edge is no number. */
  #cells(box: number): [number, number, number, number] | undefined {
    const { top, left, bottom, right } = this.boxes;
    const fromRow = cellOf(top[box] as number, this.#top, this.#height, this.#rows);
    const toRow = cellOf(bottom[box] as number, this.#top, this.#height, this.#rows);
    const fromColumn = cellOf(left[box] as number, this.#left, this.#width, this.#columns);
    const toColumn = cellOf(right[box] as number, this.#left, this.#width, this.#columns);
    const covered = (toRow - fromRow + 1) * (toColumn - fromColumn + 1);
    return covered <= MAX_COVERED ? [fromRow, toRow, fromColumn, toColumn] : undefined;
  }
}

const cellOf = (x: number, from: number, size: number, cells: number) =>
  Math.min(cells - 1, Math.max(0, Math.floor((x - from) / size)));

/** Start, size and number of the cells along one axis. */
function axisCells(low: Float32Array, high: Float32Array, count: number): [from: number, size: number, cells: number] {
  let [from, to, sum, finite] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 0];
  for (let i = 0; i < count; i++) {
    const [a, b] = [low[i] as number, high[i] as number];
    if (!Number.isFinite(b - a)) continue;
    from = Math.min(from, a);
    to = Math.max(to, b);
    sum += b - a;
    finite++;
  }
  if (finite === 0 || to <= from) return [0, 1, 1];
  const most = Math.sqrt(MAX_CELLS);
  const size = Math.max(sum / finite, (to - from) / most);
  return [from, size, Math.max(1, Math.ceil((to - from) / size))];
}
