import { computed, effect, signal } from '@preact/signals';
import { proxy } from 'comlink';
import { task } from '../../store/notices.js';
import { currentSession, feeding } from '../../store/session.js';
import { asJob, runs } from '../../store/workers/runs.js';
import { model, modules, outline, setHeat } from '../../store/workspace.js';
import { counted, formatMilliseconds } from '../../ui/quantities.js';
import type { Ceiling, Measurement } from '../../workers/contracts/runs.js';
import { quantile } from '../session/quantile.js';
import { type Costs, costsOf, costsOfModules } from './attribution.js';
import { HEATS, type HeatId } from './heats.js';

export const measurement = signal<Measurement | null>(null);
export const ceiling = signal<Ceiling | null>(null);
export const wantedRuns = signal(20);
/** The figure that colours the graph. */
export const heatBy = signal<HeatId>('time');

/** Costs of the nodes of the graph in view; null before the first measurement. */
export const costs = computed<Costs | null>(() => {
  const [measured, graph, document] = [measurement.value, outline.value, model.value];
  return measured && graph && document ? costsOf(measured.steps, graph, document.outline) : null;
});

export const moduleCosts = computed<Costs | null>(() =>
  costs.value && modules.value ? costsOfModules(costs.value, modules.value) : null,
);

export async function measureModel(): Promise<void> {
  const document = model.value;
  const session = await currentSession();
  if (!session) return;
  const measured = await task(
    'Measuring',
    ({ signal, progress }) =>
      asJob(signal, (job) => runs.measure(session.id, feeding(), wantedRuns.value, job, proxy(progress))),
    (found) =>
      `Measured: median ${formatMilliseconds(quantile(found.runs, 0.5))} of ${counted(found.runs.length, 'run')}`,
  );
  if (measured && model.value === document) measurement.value = measured;
}

export async function measureCeiling(): Promise<void> {
  const settings = measurement.value?.settings;
  if (!settings) return;
  ceiling.value = (await task('Measuring this machine', () => runs.ceiling(settings))) ?? ceiling.value;
}

effect(() => {
  const [ofNodes, ofModules] = [costs.value, moduleCosts.value];
  if (ofNodes && ofModules) setHeat(HEATS[heatBy.value](ofNodes, ofModules));
});

effect(() => {
  if (!model.value) return;
  measurement.value = null;
});
