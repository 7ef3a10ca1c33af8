import type { TensorLook } from '../../workers/contracts/tensors.js';

/** Cells are read in blocks of this many rows and columns. */
const [ROWS, COLUMNS] = [64, 32];

interface Matrix {
  readonly offset: number;
  readonly rows: number;
  readonly columns: number;
}

/** The texts of a matrix's cells, read in blocks on first access; … until they are loaded. */
export function cellCache(look: TensorLook, { offset, rows, columns }: Matrix, changed: () => void) {
  const blocks = new Map<string, readonly string[] | undefined>();
  const read = async (key: string, rowBegin: number, columnBegin: number) => {
    const [rowEnd, columnEnd] = [Math.min(rows, rowBegin + ROWS), Math.min(columns, columnBegin + COLUMNS)];
    const window = { offset, columns, rowBegin, rowEnd, columnBegin, columnEnd };
    const texts = await look.cells(window).catch((error: Error) => [error.message]);
    blocks.set(key, texts);
    changed();
  };
  const text = (row: number, column: number): string => {
    const [rowBegin, columnBegin] = [row - (row % ROWS), column - (column % COLUMNS)];
    const key = `${rowBegin},${columnBegin}`;
    if (!blocks.has(key)) {
      blocks.set(key, undefined);
      void read(key, rowBegin, columnBegin);
    }
    const width = Math.min(COLUMNS, columns - columnBegin);
    const block = blocks.get(key);
    return block === undefined ? '…' : (block[(row - rowBegin) * width + column - columnBegin] ?? block[0] ?? '');
  };
  return { text };
}
