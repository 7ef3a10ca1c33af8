import { suite } from 'uvu';

/** Counts, among the skipped tests, what cannot be tested here, and says why. */
export function skipped(complaint: string): undefined {
  console.log(`skipped: ${complaint}`);
  const nothing = suite();
  nothing.skip();
  nothing.run();
}
