import { SardonyxError } from '../../base/errors.js';
import type { Model } from '../../model/document/model.js';
import type { Feeds } from '../../session/feeds.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import { compare } from '../difference.js';
import { generatedFeeds, type Sizes } from '../generated-feeds.js';
import { sessionOf } from '../session-of.js';

/** The maximum relative error of an output. Changes in the order of sums cause smaller ones. */
const TOLERANCE = 1e-5;

/** Runs two models operator by operator on random inputs, and throws if the results differ. */
export async function sameResults(model: Model, other: Model, sizes: Sizes, times: number): Promise<void> {
  const [expected, actual] = await Promise.all([sessionOf(model), sessionOf(other)]);
  try {
    for (let seed = 1; seed <= times; seed++) {
      const feeds = generatedFeeds(expected.inputMetadata, sizes, seed) as Feeds;
      expectSame(await actual.run(feeds), await expected.run(feeds), seed);
    }
  } finally {
    await Promise.all([expected.release(), actual.release()]);
  }
}

function expectSame(actual: Record<string, HostValue>, expected: Record<string, HostValue>, seed: number): void {
  for (const [name, value] of Object.entries(expected)) {
    const { relativeL2, mismatch } = compare(actual[name] ?? null, value);
    if (mismatch === undefined && relativeL2 <= TOLERANCE) continue;
    const how = mismatch ?? `the relative error is ${relativeL2.toExponential(2)}`;
    throw new SardonyxError('INTERNAL', `the simplified model returned a different result in run ${seed}: ${how}`, {
      value: name,
    });
  }
}
