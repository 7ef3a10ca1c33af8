import { report } from '../../store/notices.js';
import { forgetRun } from '../../store/session.js';
import { runs } from '../../store/workers/runs.js';
import { download } from '../../ui/download.js';
import { Icon } from '../../ui/icon.js';
import { formatMilliseconds } from '../../ui/quantities.js';
import type { DoneRun, FedPicture, Look, ValueHead } from '../../workers/contracts/runs.js';
import { describeSettings } from '../session/describe-settings.js';
import { LookView, Picture } from './look-view.js';

/** The results of one run: each output in its natural form, above its numbers. */
export const RunCard = ({ run, number }: { run: DoneRun; number: number }) => (
  <article class="card stack" aria-label={`Run ${number}`}>
    <div class="card-head">
      <span>
        <strong>Run {number}</strong> · {formatMilliseconds(run.milliseconds)}
        <br />
        <span class="quiet">{describeSettings({ ...run.settings, threads: run.threads })}</span>
      </span>
      <button type="button" class="button plain" aria-label={`Remove run ${number}`} onClick={() => forgetRun(run.id)}>
        <Icon name="close" />
      </button>
    </div>
    {run.pictures.map((picture) => (
      <Fed key={picture.input} picture={picture} />
    ))}
    {run.looks.map((look) => look.kind === 'boxes' && <LookView key="boxes" look={look} />)}
    {run.outputs.map((output) => (
      <Output key={output.name} run={run} output={output} />
    ))}
  </article>
);

/** An input image, and what the model sees of it. */
const Fed = ({ picture: { input, given, seen, says } }: { picture: FedPicture }) => (
  <div class="fed">
    {given && (
      <figure>
        <Picture pixels={given} title={`${input} as it is`} />
        <figcaption class="quiet">{input} as it is</figcaption>
      </figure>
    )}
    <figure>
      <Picture pixels={seen} title={`${input} as the model sees it`} />
      <figcaption class="quiet">
        As the model sees it: {seen.width} × {seen.height}; {says}
      </figcaption>
    </figure>
  </div>
);

const lookOf = ({ looks }: DoneRun, name: string): Look | undefined =>
  looks.find((look) => look.kind !== 'boxes' && look.output === name);

function Output({ run, output: { name, tensor, text } }: { run: DoneRun; output: ValueHead }) {
  const look = lookOf(run, name);
  return (
    <div class="output">
      <div class="output-head">
        <span title={name}>
          {name} <span class="mono quiet">{tensor && `${tensor.type}[${tensor.dims.join(', ')}]`}</span>
        </span>
        {tensor && (
          <button
            type="button"
            class="button plain"
            aria-label={`Save ${name} as .npy`}
            title="Save as .npy"
            onClick={() => void save(run.id, name)}
          >
            <Icon name="save" />
          </button>
        )}
      </div>
      {look && <LookView look={look} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="mono numbers" tabIndex={0} aria-label={`Elements of ${name}`}>
        {text || 'empty'}
      </section>
    </div>
  );
}

async function save(run: number, name: string): Promise<void> {
  try {
    download(`${name.replace(/[^\w.-]+/g, '_')}.npy`, await runs.npy(run, name));
  } catch (error) {
    report(`Cannot save ${name} as .npy`, error);
  }
}
