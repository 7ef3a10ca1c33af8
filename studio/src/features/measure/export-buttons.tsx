import { runs } from '../../store/workers/runs.js';
import { model } from '../../store/workspace.js';
import { download } from '../../ui/download.js';
import type { Measurement } from '../../workers/contracts/runs.js';
import { quantile } from '../session/quantile.js';
import { measurement } from './state.js';

/** Exports the measurement as JSON, and its steps as a trace for Perfetto and chrome://tracing. */
export function ExportButtons() {
  const measured = measurement.value;
  const name = model.value?.name ?? 'model';
  if (!measured) return null;
  const trace = async () => {
    const { steps, memory } = measured;
    const text = await runs.trace({ steps, memory }, name);
    download(`${name}.trace.json`, new Blob([text], { type: 'application/json' }));
  };
  const json = () => download(`${name}.profile.json`, asJson(reportOf(name, measured)));
  return (
    <div class="row">
      <button type="button" class="button" onClick={json} title="Save as JSON">
        JSON
      </button>
      <button type="button" class="button" onClick={() => void trace()} title="Save as Perfetto trace">
        Trace
      </button>
    </div>
  );
}

const asJson = (value: unknown): Blob => new Blob([JSON.stringify(value, null, 1)], { type: 'application/json' });

function reportOf(name: string, { runs, create, first, profiled, ...rest }: Measurement) {
  const [median, p90] = [quantile(runs, 0.5), quantile(runs, 0.9)];
  return { model: name, milliseconds: { create, first, median, p90, profiled, runs: [...runs] }, ...rest };
}
