import { SardonyxError } from '../../base/errors.js';
import type { ValueMetadata } from '../../graph/metadata.js';
import type { Model } from '../../model/document/model.js';
import type { Feeds } from '../../session/feeds.js';
import { InferenceSession } from '../../session/inference-session.js';
import type { HostValue } from '../../tensor/tensor-value.js';
import { compare } from '../difference.js';
import { fromExternalData } from '../external-data.js';
import { generatedInput, randomNumbers } from '../generated-input.js';
import { saveModel } from '../save-model.js';

/** Relative error of an output: sums in another order come to less. */
const TOLERANCE = 1e-5;

type Sizes = Readonly<Record<string, number>>;

/** Runs two models, operator by operator, on random inputs, and refuses results that differ. */
export async function sameResults(model: Model, other: Model, sizes: Sizes, times: number): Promise<void> {
  const [expected, actual] = await Promise.all([sessionOf(model), sessionOf(other)]);
  try {
    for (let seed = 1; seed <= times; seed++) {
      const random = randomNumbers(seed);
      const feeds = Object.fromEntries(
        expected.inputMetadata.map((input) => [input.name, feedFor(input, sizes, random)]),
      ) as Feeds;
      expectSame(await actual.run(feeds), await expected.run(feeds), seed);
    }
  } finally {
    await Promise.all([expected.release(), actual.release()]);
  }
}

async function sessionOf(model: Model): Promise<InferenceSession> {
  const bytes = await saveModel(await fromExternalData(model));
  return InferenceSession.create(bytes, { graphOptimizationLevel: 'disabled' });
}

/** Open sizes that are not given are 1. */
function feedFor(input: ValueMetadata, sizes: Sizes, random: () => number): HostValue {
  if (!input.isTensor) return [];
  return generatedInput(
    input.type,
    (input.shape ?? []).map((size) => (typeof size === 'number' ? size : (sizes[size] ?? 1))),
    random,
  );
}

function expectSame(actual: Record<string, HostValue>, expected: Record<string, HostValue>, seed: number): void {
  for (const [name, value] of Object.entries(expected)) {
    const { relativeL2, mismatch } = compare(actual[name] ?? null, value);
    if (mismatch === undefined && relativeL2 <= TOLERANCE) continue;
    const how = mismatch ?? `its relative error is ${relativeL2.toExponential(2)}`;
    throw new SardonyxError('INTERNAL', `run ${seed} of the simplified model gives another result: ${how}`, {
      value: name,
    });
  }
}
