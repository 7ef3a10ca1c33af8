import { type ErrorCode, SardonyxError } from '../../src/base/errors.js';

/** Latencies are counted by powers of this: a list of all would grow, and be found as a leak. */
const STEP = 1.05;
const LEAST_MS = 0.01;
const BUCKETS = 400;

export class Latencies {
  readonly #counts = new Uint32Array(BUCKETS);
  count = 0;

  add(milliseconds: number): void {
    const bucket = Math.ceil(Math.log(milliseconds / LEAST_MS) / Math.log(STEP));
    const place = Math.min(Math.max(bucket, 0), BUCKETS - 1);
    this.#counts[place] = (this.#counts[place] as number) + 1;
    this.count++;
  }

  /** Milliseconds below which this share of all lies, to 5 %. */
  quantile(share: number): number {
    let left = share * this.count;
    const bucket = this.#counts.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
    return this.count ? LEAST_MS * STEP ** bucket : Number.NaN;
  }

  clear(): void {
    this.#counts.fill(0);
    this.count = 0;
  }
}

/** What is kept word for word of things that must not happen. */
const MOST_NOTES = 50;

/** What has happened so far. */
export class Tally {
  /** By what was done, as `pool lstm`. */
  readonly latencies: Record<string, Latencies> = {};
  /** Since the last sample. */
  readonly recent = new Latencies();
  /** By activity. */
  readonly done: Record<string, number> = {};
  /** Errors that the activity expects, by code. */
  readonly expected: Record<string, number> = {};
  readonly faults = { untyped: 0, unexpected: 0, wrong: 0, warnings: 0 };
  readonly notes: string[] = [];
  runs = 0;
  /** What is said on the console, of damaged models for the most part. */
  warned = 0;
  aborts = 0;

  ran(what: string, milliseconds: number): void {
    this.latencies[what] ??= new Latencies();
    this.latencies[what].add(milliseconds);
    this.recent.add(milliseconds);
    this.runs++;
  }

  did(activity: string): void {
    this.done[activity] = (this.done[activity] ?? 0) + 1;
  }

  /** Counts an error where those of some codes may come. */
  failed(what: string, error: unknown, codes: readonly string[]): void {
    if (!(error instanceof SardonyxError)) this.fault('untyped', `${what}: ${(error as Error)?.stack ?? error}`);
    else if (!codes.includes(error.code)) this.fault('unexpected', `${what}: ${error.code} ${error.stack}`);
    else this.#expect(error.code);
  }

  #expect(code: ErrorCode): void {
    this.expected[code] = (this.expected[code] ?? 0) + 1;
    if (code === 'ABORTED') this.aborts++;
  }

  fault(kind: keyof Tally['faults'], note: string): void {
    this.faults[kind]++;
    if (this.notes.length < MOST_NOTES) this.notes.push(`${kind}: ${note}`);
    console.error(`${kind}: ${note}`);
  }
}
