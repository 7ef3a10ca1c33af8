/**
 * How much is tested: `quick` by `npm test`, `ci` by `.ci/run`, `all` by `npm run test:all`. The runner sets it; see test/run.ts.
 */
export type Tier = 'quick' | 'ci' | 'all';

export const TIERS: readonly Tier[] = ['quick', 'ci', 'all'];

export const tier: Tier = TIERS.find((name) => name === process.env.SARDONYX_TIER) ?? 'quick';

/** The smaller tier whose cases this run leaves out, because `npm test` has tried them: `npm run test:ci` sets it. */
export const beyond: Tier | undefined = TIERS.find((name) => name === process.env.SARDONYX_BEYOND);

/** Whether this run is of that tier or a larger one. */
export const isAtLeast = (least: Tier): boolean => TIERS.indexOf(tier) >= TIERS.indexOf(least);

/** One of three values, by tier: counts of random cases, lists of configurations. */
export const byTier = <T>(values: Readonly<Record<Tier, T>>): T => values[tier];

/** So many of `items`, always the same ones: those whose names hash lowest. The order of `items` is kept. */
export function sample<T>(items: readonly T[], count: number, nameOf: (item: T) => string = String): T[] {
  const bound = items.map((item) => hash(nameOf(item))).sort((a, b) => a - b)[count] ?? Number.POSITIVE_INFINITY;
  return items.filter((item) => hash(nameOf(item)) < bound);
}

/** FNV-1a over UTF-16 units, mixed so that names with a common beginning spread. */
function hash(name: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}

type Registers = (name: string, handler: never) => void;

/** A uvu suite that registers a fixed share of its tests in smaller tiers: those whose names hash lowest, without those that the tier before has run. */
export function sampled<Test extends Registers>(test: Test, given: { quick: number; ci?: number }): Test {
  const shares = { ci: 1, all: 1, ...given };
  const [first, end] = [beyond ? shares[beyond] : 0, shares[tier]];
  return Object.assign(
    ((name, handler) => {
      const place = hash(name) / 2 ** 32;
      if (place >= first && place < end) test(name, handler);
    }) as Test,
    test,
  );
}

/** A uvu suite that registers its first tests alone in smaller tiers: one story of a panel, say. */
export function leading<Test extends Registers>(test: Test, counts: { quick?: number; ci: number }): Test {
  const most = { all: Number.POSITIVE_INFINITY, quick: counts.ci, ...counts }[tier];
  let count = 0;
  return Object.assign(
    ((name, handler) => {
      if (count++ < most) test(name, handler);
    }) as Test,
    test,
  );
}
