import { signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { type Ridges, SHARES } from '../../../workers/contracts/logs.js';
import { Canvas } from '../canvas.js';
import { colourOf } from '../colors.js';
import { logs } from '../logs.js';
import { Title } from '../media/media-views.js';
import { nameOf, overview, tagsOf } from '../state.js';
import { useSeen } from '../use-seen.js';
import { drawDistribution } from './draw-distribution.js';
import { drawRidges, rowsShown, shortened } from './draw-ridges.js';

const FORMS = {
  ridges: { title: 'Histograms', draw: drawRidges },
  bands: { title: 'Distributions', draw: drawDistribution },
};
type Form = keyof typeof FORMS;
const form = signal<Form>('ridges');

export const HistogramsView = () => (
  <>
    <fieldset class="row">
      <legend class="sr-only">Chart type</legend>
      {Object.entries(FORMS).map(([each, { title }]) => (
        <button
          key={each}
          type="button"
          class="button"
          aria-pressed={form.value === each}
          onClick={() => {
            form.value = each as Form;
          }}
        >
          {title}
        </button>
      ))}
    </fieldset>
    <div class="charts">
      {tagsOf(['histogram']).flatMap(({ tag, runs }) =>
        runs.map((run) => <Histogram key={`${run} ${tag}`} run={run} tag={tag} />),
      )}
    </div>
  </>
);

function Histogram({ run, tag }: { run: string; tag: string }) {
  const figure = useRef<HTMLElement>(null);
  const isSeen = useSeen(figure);
  const ridges = useSignal<Ridges | null>(null);
  useSignalEffect(() => {
    void overview.value;
    if (!isSeen.value) return;
    void logs.ridges(run, tag).then((found) => {
      ridges.value = found;
    });
  });
  const draw = useComputed(() => ridges.value && FORMS[form.value].draw(ridges.value, colourOf(run))).value;
  return (
    <figure class="chart" ref={figure} aria-label={`${tag}, ${nameOf(run)}`}>
      <Title run={run} tag={tag} />
      {draw && ridges.value && ridges.value.steps.length > 0 && (
        <>
          <Canvas height={240} label={labelOf(tag, ridges.value)} draw={draw} />
          <Quantiles ridges={ridges.value} />
        </>
      )}
      {ridges.value?.steps.length === 0 && <p class="quiet">The histogram is empty.</p>}
    </figure>
  );
}

const labelOf = (tag: string, { steps, from, to }: Ridges) =>
  `${tag}: ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}, values from ${shortened(from)} to ${shortened(to)}`;

const COLUMNS = [
  ['least', 0],
  ['middle', (SHARES.length - 1) / 2],
  ['largest', SHARES.length - 1],
] as const;

const Quantiles = ({ ridges: { steps, quantiles } }: { ridges: Ridges }) => (
  <details>
    <summary class="quiet">Values</summary>
    <table class="table">
      <thead>
        <tr>
          <th class="number">Step</th>
          {COLUMNS.map(([title]) => (
            <th key={title} class="number">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rowsShown(steps.length).map((row) => (
          <tr key={row}>
            <td class="number">{steps[row]}</td>
            {COLUMNS.map(([title, share]) => (
              <td key={title} class="number">
                {shortened(quantiles[row * SHARES.length + share] as number)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </details>
);
