import type { HostValue, TensorValue } from 'sardonyx';
import { addOutputs, compareModels, loadModel, type NodeProto, saveModel } from 'sardonyx/model';
import { toNumbers } from 'sardonyx/tensors';
import type { ModelFiles } from '../contracts/documents.js';
import type { CapturedRun, CapturedValue, Judged, Opened } from '../contracts/runs.js';
import { headOf, isTensor } from './describe.js';
import { keep } from './kept.js';
import type { Held } from './sessions.js';
import { statisticsOf } from './statistics.js';

type Values = Record<string, HostValue>;

/** Runs, and keeps the feeds and every value that the session computes. */
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

/** The model with all values that its graph computes as outputs. */
export async function withAllOutputs(files: ModelFiles): Promise<Opened> {
  const model = await loadModel(files.model, { externalData: files.beside });
  const nodes = model.proto.graph?.node ?? [];
  const made = nodes.flatMap(({ output }) => output.filter(Boolean));
  const bytes = await saveModel(await addOutputs(model, made));
  return { files: { ...files, model: new Blob([bytes as Uint8Array<ArrayBuffer>]) }, ranked: rankedIn(nodes) };
}

function rankedIn(nodes: readonly NodeProto[]): string[] {
  const found = new Set<string>();
  for (const { opType, input, output } of nodes)
    if (/^(TopK|NonMaxSuppression)$/.test(opType) || input.some((name) => found.has(name)))
      for (const name of output) if (name) found.add(name);
  return [...found];
}

/** Compares our values with theirs by relative L2, worst first; values that cannot be measured come before all others. */
export async function comparedWith(
  ours: Values,
  theirs: Readonly<Record<string, TensorValue>>,
  ranked: readonly string[],
  tolerance: number,
): Promise<readonly Judged[]> {
  const sides = [ours, theirs].map((values) => ({ run: async () => values }));
  const [one, other] = sides as [(typeof sides)[0], (typeof sides)[0]];
  const { values } = await compareModels(one, other, {}, { tolerance });
  const mayReorder = new Set(ranked);
  return values
    .filter(({ passed }) => passed !== null)
    .map((finding): Judged => {
      const { name, passed } = finding;
      const isReordered = !passed && mayReorder.has(name) && sameInOrder(ours[name], theirs[name], tolerance);
      return { ...finding, passed: passed || isReordered, isReordered };
    })
    .toSorted((a, b) => badness(b) - badness(a));
}

/** Whether both have the same numbers, in any order. */
function sameInOrder(a: HostValue | undefined, b: HostValue | undefined, tolerance: number): boolean {
  if (!a || !b || !isTensor(a) || !isTensor(b) || a.type === 'string' || `${a.dims}` !== `${b.dims}`) return false;
  const [own, other] = [Float64Array.from(toNumbers(a)).sort(), Float64Array.from(toNumbers(b)).sort()];
  const norm = (numbers: Float64Array) => Math.sqrt(numbers.reduce((sum, x) => sum + x * x, 0));
  return norm(own.map((x, i) => x - (other[i] as number))) <= tolerance * norm(other);
}

const badness = ({ relativeL2, mismatch, isReordered }: Judged): number =>
  isReordered ? 0 : mismatch !== undefined || Number.isNaN(relativeL2) ? Number.POSITIVE_INFINITY : relativeL2;
