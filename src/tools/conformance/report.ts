import { type ConformanceResult, OUTCOMES, type Outcome } from './result.js';

/** How many cases came to which outcome. */
export type Tally = Readonly<Record<Outcome, number>>;

/** What a runtime made of a suite; JSON holds all of it. */
export interface ConformanceReport {
  /** With its version. */
  readonly runtime: string;
  readonly host: string;
  /** ISO 8601, when it began. */
  readonly date: string;
  readonly milliseconds: number;
  readonly totals: Tally & { readonly cases: number };
  /** Cases whose model calls an operator, by its name. */
  readonly operators: readonly (Tally & { readonly operator: string })[];
  /** Cases by the versions that their models import. */
  readonly opsets: readonly (Tally & { readonly domain: string; readonly version: number })[];
  readonly cases: readonly ConformanceResult[];
}

export type ReportHead = Pick<ConformanceReport, 'runtime' | 'host' | 'date' | 'milliseconds'>;

export function reportOf(head: ReportHead, cases: readonly ConformanceResult[]): ConformanceReport {
  const operators = groups(cases, ({ operators }) => operators);
  const opsets = groups(cases, ({ opsets }) =>
    Object.entries(opsets).map(([domain, version]) => `${domain} ${version}`),
  );
  return {
    ...head,
    totals: { cases: cases.length, ...tallyOf(cases) },
    operators: operators.map(([operator, own]) => ({ operator, ...tallyOf(own) })),
    opsets: opsets.map(([key, own]) => ({ ...opsetOf(key), ...tallyOf(own) })),
    cases,
  };
}

const tallyOf = (cases: readonly ConformanceResult[]): Tally =>
  Object.fromEntries(OUTCOMES.map((each) => [each, cases.filter(({ outcome }) => outcome === each).length])) as Tally;

function opsetOf(key: string): { domain: string; version: number } {
  const [domain = '', version] = key.split(' ');
  return { domain, version: Number(version) };
}

const { compare: inOrder } = new Intl.Collator('en', { numeric: true });

/** Cases by each of their keys, in the order of these. */
function groups(
  cases: readonly ConformanceResult[],
  keysOf: (found: ConformanceResult) => readonly string[],
): [key: string, cases: ConformanceResult[]][] {
  const found = new Map<string, ConformanceResult[]>();
  for (const each of cases)
    for (const key of keysOf(each)) {
      const own = found.get(key);
      if (own) own.push(each);
      else found.set(key, [each]);
    }
  return [...found].sort(([a], [b]) => inOrder(a, b));
}
