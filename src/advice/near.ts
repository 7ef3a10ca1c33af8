/** The optimal string alignment distance: insertions, deletions, replacements and swaps of neighboring letters. */
function distance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] as number;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1]),
        isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(a.length, b.length);
}

const plain = (word: string) => word.toLowerCase().replace(/[^\p{L}\d]/gu, '');

/** Longer names are cut: the cost of `distance` grows with the square. */
const LONGEST = 64;

/** The one of `known` that was probably meant: it differs by a few letters, or one is a prefix or suffix of the other. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const given = plain(word).slice(0, LONGEST);
  const most = Math.max(1, Math.floor(given.length / 3));
  let best: { readonly name: string; readonly far: number } | undefined;
  for (const name of known) {
    const other = plain(name).slice(0, LONGEST);
    const [short, long] = given.length < other.length ? [given, other] : [other, given];
    const isPart = short.length > 2 && (long.startsWith(short) || long.endsWith(short));
    const far = isPart ? Math.min(most, distance(given, other)) : distance(given, other);
    const isNear = far <= most && far < Math.max(given.length, other.length);
    if (isNear && far < (best?.far ?? Number.POSITIVE_INFINITY)) best = { name, far };
  }
  return best?.name;
}

export const quoted = (names: Iterable<string>): string => [...names].map((name) => `"${name}"`).join(', ');

/** `; did you mean "…"?`, or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const name = nearest(word, known);
  return name === undefined ? '' : `; did you mean "${name}"?`;
}
