import { type ConformanceResult, OUTCOMES, type Outcome } from './result.js';

/** The number of cases by outcome. */
export type Tally = Readonly<Record<Outcome, number>>;

/** The results of a runtime. The report can be serialized as JSON. */
export interface ConformanceReport {
  /** The name and version of the runtime. */
  readonly runtime: string;
  /** The name and version of the host, such as `Node 22.12.0`. */
  readonly host: string;
  /** The start time in ISO 8601 format. */
  readonly date: string;
  /** The duration of the whole run. */
  readonly milliseconds: number;
  /** The number of cases, in total and by outcome. */
  readonly totals: Tally & { readonly cases: number };
  /** The outcomes of the cases that use an operator, by operator. */
  readonly operators: readonly (Tally & { readonly operator: string })[];
  /** The outcomes of the cases that import an opset, by opset. */
  readonly opsets: readonly (Tally & { readonly domain: string; readonly version: number })[];
  /** The results of all cases. */
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

/** Groups cases by each of their keys, in the order of the keys. */
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
