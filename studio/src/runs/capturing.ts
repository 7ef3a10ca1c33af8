import type { HostValue, TensorValue } from 'sardonyx';
import { addOutputs, compareModels, type Finding, loadModel, saveModel } from 'sardonyx/model';
import { toNumbers } from 'sardonyx/tensors';
import type { ModelFiles } from '../documents/service.js';
import { headOf, isTensor } from './describe.js';
import { keep } from './kept.js';
import type { CapturedRun, CapturedValue } from './service.js';
import type { Held } from './sessions.js';
import { statisticsOf } from './statistics.js';

type Values = Record<string, HostValue>;

/** Runs, and keeps what was fed and every value that the session computes. */
export async function captured({ session, settings }: Held, feeds: Values, signal: AbortSignal): Promise<CapturedRun> {
  const results = (await session.run(feeds, { capture: 'all', signal })) as Values;
  const values = { ...feeds, ...results };
  return {
    id: keep(values),
    settings,
    values: Object.entries(values).map(([name, value]) => described(name, value)),
    optimizedAway: session.optimizedAway,
  };
}

function described(name: string, value: HostValue): CapturedValue {
  const isCounted = isTensor(value) && value.type !== 'string';
  return { ...headOf(name, value), statistics: isCounted ? statisticsOf(toNumbers(value)) : null };
}

/** The model with all that its graph computes as outputs, in one file. */
export async function withAllOutputs(files: ModelFiles): Promise<ModelFiles> {
  const model = await loadModel(files.model, { externalData: files.beside });
  const made = (model.proto.graph?.node ?? []).flatMap(({ output }) => output.filter(Boolean));
  const bytes = await saveModel(await addOutputs(model, made));
  return { ...files, model: new Blob([bytes as Uint8Array<ArrayBuffer>]) };
}

/** Ours held to theirs, by relative L2, the worst first; what cannot be measured is worse than any distance. */
export async function comparedWith(
  ours: Values,
  theirs: Readonly<Record<string, TensorValue>>,
  tolerance: number,
): Promise<readonly Finding[]> {
  const sides = [ours, theirs].map((values) => ({ run: async () => values }));
  const [one, other] = sides as [(typeof sides)[0], (typeof sides)[0]];
  const { values } = await compareModels(one, other, {}, { tolerance });
  return values.filter(({ passed }) => passed !== null).toSorted((a, b) => badness(b) - badness(a));
}

const badness = ({ relativeL2, mismatch }: Finding): number =>
  mismatch !== undefined || Number.isNaN(relativeL2) ? Number.POSITIVE_INFINITY : relativeL2;
