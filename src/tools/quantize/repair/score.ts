import type { Model } from '../../../model/document/model.js';
import type { Feeds } from '../../../session/feeds.js';
import type { InferenceSession } from '../../../session/inference-session.js';
import { isFloat } from '../../../tensor/element-types.js';
import { numbersOf } from '../../../tensor/numbers.js';
import type { HostValue } from '../../../tensor/tensor-value.js';
import { isTensorValue } from '../../../tensor/tensor-value.js';
import type { Watch } from '../progress.js';
import type { Samples } from '../weights/gram-matrices.js';
import { eachSample, opened } from './captured.js';
import { decibels, hear, silence } from './signal.js';

/** Measures the quality of a model by its outputs; higher is better. */
export type Metric = (run: (feeds: Feeds) => Promise<Readonly<Record<string, HostValue>>>) => number | Promise<number>;

/** Returns the score of a model. */
export type Judge = (model: Model) => Promise<number>;

async function using<T>(model: Model, use: (session: InferenceSession) => T | Promise<T>): Promise<T> {
  const session = await opened(model);
  try {
    return await use(session);
  } finally {
    await session.release();
  }
}

export const byMetric =
  (metric: Metric): Judge =>
  (model) =>
    using(model, (session) => metric((feeds) => session.run(feeds)));

/**
 * Scores a model by its floating-point outputs: the signal-to-noise ratio, in decibels, of the output that differs most
 * from that of `exact`.
 */
export const byOutputs =
  (exact: Model, samples: Samples, { signal }: Watch): Judge =>
  (model) =>
    using(exact, (a) =>
      using(model, async (b) => {
        const signals = new Map(a.outputNames.map((name) => [name, silence()]));
        await eachSample(samples, 'samples', signal ? { signal } : {}, async (feeds) => {
          const [expected, found] = [await a.run(feeds), await b.run(feeds)];
          for (const [name, signal] of signals) {
            const [x, y] = [expected[name], found[name]];
            if (isTensorValue(x) && isTensorValue(y) && isFloat(x.type)) hear(signal, numbersOf(x), numbersOf(y));
          }
        });
        return Math.min(...[...signals.values()].map(decibels));
      }),
    );
