const MEBIBYTE = 2 ** 20;

/** Calls `look` in every turn of the event loop until `work` settles. */
export async function inEveryTurn<T>(work: Promise<T>, look: (turn: number) => void): Promise<T> {
  let [turn, isOver] = [0, false];
  const next = () => {
    if (isOver) return;
    look(++turn);
    setImmediate(next);
  };
  setImmediate(next);
  try {
    return await work;
  } finally {
    isOver = true;
  }
}

/** The first of the elements of each MiB. */
export const mebibytesOf = (array: Float32Array): number[] =>
  Array.from({ length: array.byteLength / MEBIBYTE }, (_, i) => (i * MEBIBYTE) / array.BYTES_PER_ELEMENT);

/** How often the number that is there most often is there. */
export function mostAlike(numbers: Iterable<number>): number {
  const counts = new Map<number, number>();
  for (const each of numbers) counts.set(each, (counts.get(each) ?? 0) + 1);
  return Math.max(...counts.values());
}
