import * as assert from 'uvu/assert';

interface Outcome {
  readonly error: number;
  readonly threads: number;
}

/** What app/check.js found is right. */
export function agrees({ error, threads }: Outcome, expectedThreads = 1): void {
  assert.ok(error <= 1e-5, `outputs are off by ${error}`);
  assert.is(threads, expectedThreads);
}
