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

/** The places of a series of cases, by how many each tier tries in all; not those that the tier before has tried. */
export function seriesByTier(counts: Readonly<Record<Tier, number>>): number[] {
  const first = beyond ? counts[beyond] : 0;
  return Array.from({ length: counts[tier] - first }, (_, i) => first + i);
}

/** As `sample`, by how many of `items` each tier tries in all; not those that the tier before has tried. */
export function sampleByTier<T>(
  items: readonly T[],
  counts: Readonly<Record<Tier, number>>,
  nameOf: (item: T) => string = String,
): T[] {
  const tried = new Set(beyond ? sample(items, counts[beyond], nameOf) : []);
  return sample(items, counts[tier], nameOf).filter((item) => !tried.has(item));
}

type Registers = (name: string, handler: never) => void;

/** By tier; a suite that `quick` leaves out has no share there. */
interface Shares {
  readonly quick?: number;
  readonly ci?: number;
}

/** Whether a test is in the share of this tier, those whose names hash lowest, and the tier before has not run it. */
export function isSampled(name: string, given: Shares): boolean {
  const { ci = 1, quick = ci } = given;
  const place = hash(name) / 2 ** 32;
  return place < { quick, ci, all: 1 }[tier] && !(beyond === 'quick' && place < (given.quick ?? 0));
}

/** A uvu suite that registers a fixed share of its tests in smaller tiers. */
export const sampled = <Test extends Registers>(test: Test, shares: Shares): Test =>
  Object.assign(
    ((name, handler) => {
      if (isSampled(name, shares)) test(name, handler);
    }) as Test,
    test,
  );

/** A uvu suite that registers its first tests alone in smaller tiers: one story of a panel, say. */
export function leading<Test extends Registers>(test: Test, counts: { quick?: number; ci: number }): Test {
  const most = { all: Number.POSITIVE_INFINITY, quick: counts.ci, ...counts }[tier];
  const tried = beyond === 'quick' ? (counts.quick ?? 0) : 0;
  let count = 0;
  return Object.assign(
    ((name, handler) => {
      const place = count++;
      if (place >= tried && place < most) test(name, handler);
    }) as Test,
    test,
  );
}
