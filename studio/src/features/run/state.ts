import { effect, signal } from '@preact/signals';
import { announce, report, task } from '../../store/notices.js';
import { addRun, currentSession, done, feeding, inputs, sizes } from '../../store/session.js';
import { isAbort } from '../../store/unless-aborted.js';
import { asJob, runs } from '../../store/workers/runs.js';
import { model } from '../../store/workspace.js';
import { parseLabels } from './labels.js';
import { resultOf, runSaid } from './said.js';
import type { SourceId } from './sources.js';

/** The way chosen for each input; generated where none is. */
export const ways = signal<ReadonlyMap<string, SourceId>>(new Map());
/** Names of classes, from a file that was dropped, the model's metadata, or a known list. */
export const labels = signal<readonly string[] | null>(null);
/** Whether the model runs whenever an input changes. */
export const isLive = signal(false);

export async function runModel(): Promise<void> {
  const document = model.value;
  const session = await currentSession();
  if (!session) return;
  const run = await task(
    'Running',
    ({ signal }) => asJob(signal, (job) => runs.run(session.id, feeding(), job, labels.value ?? undefined)),
    runSaid,
  );
  if (run && model.value === document) addRun(run);
}

let isRunning = false;
let isWanted = false;

/** Runs in place of the latest run; changes meanwhile are one more run. */
async function runLive(): Promise<void> {
  isWanted = true;
  if (isRunning) return;
  isRunning = true;
  try {
    while (isWanted && isLive.value) {
      isWanted = false;
      await liveRun();
    }
  } catch (error) {
    isLive.value = false;
    if (!isAbort(error)) report('Live run failed', error);
  } finally {
    isRunning = false;
  }
}

async function liveRun(): Promise<void> {
  const document = model.value;
  const session = await currentSession();
  if (!session) return;
  const [latest] = done.value;
  const run = await asJob(new AbortController().signal, (job) =>
    runs.run(session.id, feeding(), job, labels.value ?? undefined, latest?.id),
  );
  if (model.value !== document) return;
  addRun(run, latest?.id);
  const result = resultOf(run);
  if (!latest || resultOf(latest) !== result) announce(result);
}

effect(() => {
  const isFed = inputs.value.size > 0 && sizes.value;
  if (isLive.value && isFed) void runLive();
});

effect(() => {
  const facts = model.value?.facts ?? [];
  const told = facts.find(([name]) => /^(labels|classes|class_names|names|id2label)$/i.test(name));
  labels.value = told ? parseLabels(told[1]) : null;
  ways.value = new Map();
  isLive.value = false;
});
