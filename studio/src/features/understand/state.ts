import { batch, computed, effect, signal } from '@preact/signals';
import { proxy, transfer } from 'comlink';
import type { Bisection } from 'sardonyx/model';
import { buffersOf } from '../../graph/buffers.js';
import { type TaskControl, task } from '../../store/notices.js';
import { seenInRun } from '../../store/seen-in-run.js';
import { feeding, settings } from '../../store/session.js';
import { documents } from '../../store/workers/documents.js';
import { hasOnnxruntime, MISSING, openOnnxruntime, type Peer } from '../../store/workers/onnxruntime-web.js';
import { asJob, runs } from '../../store/workers/runs.js';
import { type Mark, model, outline, selectValue, setMarks } from '../../store/workspace.js';
import { counted } from '../../ui/quantities.js';
import type { CapturedRun, Judged, Rewrites } from '../../workers/contracts/runs.js';
import { inGraphOrder, nonFiniteOf, type PlacedValue } from './place-values.js';

/** Whether values come from the unoptimised model, which has all of them, or only those that the optimised graph still computes. */
export const isWhole = signal(true);
export const captured = signal<CapturedRun | null>(null);
export const findings = signal<readonly Judged[] | null>(null);
export const rewrites = signal<Rewrites | null>(null);
export const bisection = signal<Bisection | null>(null);
export const tolerance = signal(1e-4);

/** The captured values in the order of the nodes that make them; values of other graphs have no node. */
export const values = computed<readonly PlacedValue[]>(() => {
  const [run, graph] = [captured.value, outline.value];
  return run && graph ? inGraphOrder(run.values, graph) : [];
});

const chosenSettings = () => ({
  ...settings.value,
  level: isWhole.value ? ('disabled' as const) : settings.value.level,
});

/** A task on the files of the model in view, which may be edited meanwhile; undefined if another model is in view at the end. */
const onFiles = <T>(
  title: string,
  work: (files: Files, control: TaskControl) => Promise<T>,
  says: (found: T) => string = () => `${title}: done`,
): Promise<T | undefined> =>
  task(
    title,
    async (control) => {
      const document = model.value;
      if (!document) throw new Error('no model is open');
      const done = await work(await documents.files(document.id), control);
      return model.value === document ? done : undefined;
    },
    (found) => (found === undefined ? '' : says(found)),
  );

type Files = Awaited<ReturnType<typeof documents.files>>;

export async function captureValues(): Promise<void> {
  const run = await onFiles(
    'Capturing values',
    (files, { signal }) => asJob(signal, (job) => runs.capture(files, chosenSettings(), feeding(), job)),
    ({ values }) =>
      `Captured ${counted(values.length, 'value')}, ${nonFiniteOf(values).length || 'none'} with NaN or infinity`,
  );
  if (run) replace(run);
}

function replace(run: CapturedRun): void {
  if (captured.value) void runs.forget(captured.value.id);
  captured.value = run;
  seenInRun(run.values);
}

/** Compares every value with onnxruntime-web's on the same feeds. */
export async function compareEngines(): Promise<void> {
  const found = await onFiles('Comparing with onnxruntime-web', async (files, { signal, progress }) => {
    if (!(await hasOnnxruntime())) throw new Error(MISSING);
    const ours = await asJob(signal, (job) => runs.capture(files, chosenSettings(), feeding(), job));
    replace(ours);
    progress(0.4);
    const { files: whole, ranked } = await runs.withAllOutputs(files);
    signal.throwIfAborted();
    const theirs = await theirValues(whole, ours, await runs.feeds(files, feeding()));
    progress(0.8);
    return runs.compare(ours.id, transfer(theirs, buffersOf(theirs)), ranked, tolerance.value);
  });
  if (found) findings.value = found;
}

/** onnxruntime-web's results for the values that ours computes; only tensors, as it has no other types in JavaScript. */
async function theirValues(files: Files, { values: ours }: CapturedRun, feeds: Parameters<Peer['run']>[0]) {
  const wanted = ours.filter(({ name, tensor }) => tensor && !Object.hasOwn(feeds, name)).map(({ name }) => name);
  const peer = await openOnnxruntime(files, { threads: 1, level: 'disabled' });
  try {
    return (await peer.run(feeds, wanted)).values;
  } finally {
    peer.close();
  }
}

export async function lookAtRewrites(): Promise<void> {
  rewrites.value = (await onFiles('Optimizing', (files) => runs.rewrites(files, settings.value))) ?? null;
}

export async function bisect(): Promise<void> {
  const found = await onFiles('Finding the rewrite that changes results', (files, { signal, progress }) =>
    asJob<Bisection>(signal, (job) =>
      runs.bisect(files, settings.value, feeding(), tolerance.value, job, proxy(progress)),
    ),
  );
  if (found) bisection.value = found;
}

/** Selects a value of the graph in view by name. */
export function showNamed(name: string): void {
  const graph = outline.value;
  const index = graph ? graph.values.name.findIndex((each) => graph.strings[each] === name) : -1;
  if (index >= 0) selectValue(index);
}

effect(() => {
  const found = new Map<number, Mark>();
  for (const { producer } of nonFiniteOf(values.value)) if (producer >= 0) found.set(producer, 'nan');
  const graph = outline.value;
  const wrong = new Set(findings.value?.filter(({ passed }) => passed === false).map(({ name }) => name));
  if (graph && wrong.size > 0)
    graph.values.name.forEach((name, i) => {
      const producer = graph.values.producer[i] as number;
      if (producer >= 0 && wrong.has(graph.strings[name] as string) && !found.has(producer))
        found.set(producer, 'error');
    });
  if (captured.value) setMarks(found);
});

effect(() => {
  if (!model.value) return;
  batch(() => {
    captured.value = null;
    findings.value = null;
    rewrites.value = null;
    bisection.value = null;
  });
});
