import * as assert from 'uvu/assert';
import type { Dtype } from '../layouts/dtypes/index.js';

/**
 * A half has 11 bits, and layers add what each of them rounds; an activation of 8 bits may fall to the other side of a tie. Products with
 * weights of 4 bits, q4 and bnb4, round activations to 16 bits in each block.
 */
const TOLERANCE: Record<Dtype, number> = { fp32: 1e-4, fp16: 1e-2, q8: 1e-2, q4: 1e-3, bnb4: 1e-3, q4f16: 1e-2 };

/** Samples are heard of phases, which are sums over time, and of angles, which are π or −π by the last bit. */
const SPEECH: Record<Dtype, number> = { fp32: 5e-3, fp16: 3e-2, q8: 3e-2, q4: 5e-3, bnb4: 5e-3, q4f16: 5e-2 };

/** That two answers are the same but for rounding, and are answers: nothing is empty or not a number. */
export function assertAnswers(
  actual: unknown,
  expected: unknown,
  { task, dtype }: { readonly task: string; readonly dtype: Dtype },
  place: string,
): void {
  assert.not.match(JSON.stringify(expected), /^\[\]$|null/, place);
  assertClose(actual, expected, (task === 'text-to-speech' ? SPEECH : TOLERANCE)[dtype], place);
}

function assertClose(actual: unknown, expected: unknown, tolerance: number, place: string): void {
  if (typeof expected === 'number') {
    assert.ok(Math.abs((actual as number) - expected) <= tolerance, `${place}: ${actual}, expected ${expected}`);
  } else if (typeof expected === 'object' && expected !== null) {
    assert.equal(Object.keys(actual as object), Object.keys(expected), place);
    for (const [key, value] of Object.entries(expected))
      assertClose((actual as Record<string, unknown>)[key], value, tolerance, `${place}.${key}`);
  } else assert.is(actual, expected, place);
}
