import { download } from '../design/download.js';
import { formatMilliseconds } from '../design/quantities.js';
import { forgetRun } from '../runs/current.js';
import { runs } from '../runs/runs.js';
import type { DoneRun, ValueHead } from '../runs/service.js';
import { describeSettings } from '../runs/settings.js';
import { report } from '../workspace/notices.js';
import { LookView } from './look-view.js';

/** What came out of one run. */
export const RunCard = ({ run, number }: { run: DoneRun; number: number }) => (
  <article class="card stack" aria-label={`Run ${number}`}>
    <div class="row spread">
      <strong>Run {number}</strong>
      <span class="quiet">
        {formatMilliseconds(run.milliseconds)} · {describeSettings({ ...run.settings, threads: run.threads })}
      </span>
      <button type="button" class="button plain" aria-label={`Forget run ${number}`} onClick={() => forgetRun(run.id)}>
        Forget
      </button>
    </div>
    {run.looks.map((look) => (
      <LookView key={look.kind === 'boxes' ? 'boxes' : look.output} look={look} />
    ))}
    {run.outputs.map((output) => (
      <Output key={output.name} run={run.id} output={output} />
    ))}
  </article>
);

const Output = ({ run, output: { name, tensor, text } }: { run: number; output: ValueHead }) => (
  <div class="output">
    <div class="row spread">
      <span>
        {name} <span class="mono quiet">{tensor && `${tensor.type}[${tensor.dims.join(', ')}]`}</span>
      </span>
      {tensor && (
        <button
          type="button"
          class="button plain"
          aria-label={`Save ${name} as .npy`}
          onClick={() => void save(run, name)}
        >
          .npy
        </button>
      )}
    </div>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
    <section class="mono numbers" tabIndex={0} aria-label={`Elements of ${name}`}>
      {text || 'empty'}
    </section>
  </div>
);

async function save(run: number, name: string): Promise<void> {
  try {
    download(`${name.replace(/[^\w.-]+/g, '_')}.npy`, await runs.npy(run, name));
  } catch (error) {
    report(`${name} cannot be saved as .npy`, error);
  }
}
