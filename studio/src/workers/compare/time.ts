import { type Feeds, InferenceSession } from 'sardonyx';
import { compareModels, fromExternalData, generatedFeeds, type Model, type Runner, saveModel } from 'sardonyx/model';
import type { Timed } from '../contracts/compare.js';
import type { OpenSizes } from '../contracts/feeding.js';

/** Runs two models alternately on the same random inputs, matched by position if names differ. */
export async function time(
  models: readonly [Model, Model],
  sizes: OpenSizes,
  runs: number,
  onProgress: (done: number) => void,
): Promise<Timed> {
  const sessions = [await sessionOf(models[0]), await sessionOf(models[1])] as const;
  try {
    const feeds = feedsOf(sessions, sizes);
    const first = [await sessions[0].run(feeds[0]), await sessions[1].run(feeds[1])] as const;
    const taken: [number[], number[]] = [[], []];
    for (let i = 0; i < runs; i++) {
      for (const side of [0, 1] as const) {
        const begin = performance.now();
        await sessions[side].run(feeds[side]);
        taken[side].push(performance.now() - begin);
      }
      onProgress((i + 1) / runs);
    }
    const peakOf = ({ memoryPlan }: InferenceSession) => memoryPlan?.peak ?? null;
    return {
      milliseconds: [median(taken[0]), median(taken[1])],
      runs,
      peak: [peakOf(sessions[0]), peakOf(sessions[1])],
      outputs: await outputsOf(sessions, first),
    };
  } finally {
    for (const session of sessions) await session.release();
  }
}

const sessionOf = async (model: Model): Promise<InferenceSession> =>
  InferenceSession.create(await saveModel(await fromExternalData(model)));

type Sessions = readonly [InferenceSession, InferenceSession];
type Values = Readonly<Record<string, unknown>>;

function feedsOf(sessions: Sessions, sizes: OpenSizes): readonly [Feeds, Feeds] {
  const [left, right] = sessions.map(({ inputMetadata }) => inputMetadata.filter(({ hasDefault }) => !hasDefault));
  const feeds = generatedFeeds(left ?? [], Object.fromEntries(sizes));
  const names = (right ?? []).map(
    ({ name }, i) => [name, Object.hasOwn(feeds, name) ? name : (left?.[i]?.name ?? name)] as const,
  );
  return [feeds, Object.fromEntries(names.map(([name, from]) => [name, feeds[from] ?? null]))] as const;
}

/** Compares the outputs of both, matched by name or else by position. */
async function outputsOf(sessions: Sessions, [before, after]: readonly [Values, Values]): Promise<Timed['outputs']> {
  const pairs = sessions[0].outputNames.flatMap((name, i) => {
    const other = Object.hasOwn(after, name) ? name : (sessions[1].outputNames[i] ?? '');
    return Object.hasOwn(after, other) ? [[name, before[name], after[other], other] as const] : [];
  });
  const sideOf = (at: 1 | 2) => ({ run: async () => Object.fromEntries(pairs.map((pair) => [pair[0], pair[at]])) });
  const { values } = await compareModels(sideOf(2) as Runner, sideOf(1) as Runner, {}, {});
  const others = new Map(pairs.map(([name, , , other]) => [name, other]));
  return values.map(({ name, relativeL2, maxAbs, mismatch }) => ({
    name,
    other: others.get(name) ?? name,
    relativeL2,
    maxAbs,
    mismatch,
  }));
}

const median = (list: readonly number[]): number => list.toSorted((a, b) => a - b)[list.length >> 1] as number;
