import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { task } from '../../store/notices.js';
import { settings } from '../../store/session.js';
import { hasOnnxruntime, MISSING } from '../../store/workers/onnxruntime-web.js';
import { model } from '../../store/workspace.js';
import { Choice } from '../../ui/choice.js';
import { counted, formatMilliseconds } from '../../ui/quantities.js';
import { DEFAULTS } from '../../workers/contracts/settings.js';
import { SettingsFields } from '../session/settings-fields.js';
import { type Bout, bout, type Contender } from './contenders.js';
import { wantedRuns } from './state.js';

const KINDS = [
  ['sardonyx', 'Sardonyx with other settings'],
  ['onnxruntime-web', 'onnxruntime-web'],
] as const;

/** Compares the settings above with other settings or another runtime, in alternating runs. */
export function Beside() {
  const kind = useSignal<Contender['kind']>('sardonyx');
  const other = useSignal({ ...DEFAULTS, threads: 1 });
  const result = useSignal<Bout | null>(null);
  /** Whether the runtime is available; null until the server has answered. */
  const isThere = useSignal<boolean | null>(true);
  const document = model.value;
  useEffect(() => {
    result.value = null;
  }, [document]);
  const choose = async (chosen: Contender['kind']) => {
    kind.value = chosen;
    isThere.value = chosen === 'sardonyx' ? true : null;
    const isFound = chosen === 'sardonyx' || (await hasOnnxruntime());
    if (kind.value === chosen) isThere.value = isFound;
  };
  const compare = async () => {
    if (!document) return;
    const second: Contender =
      kind.value === 'sardonyx' ? { kind: 'sardonyx', settings: other.value } : { kind: kind.value };
    const first: Contender = { kind: 'sardonyx', settings: settings.value };
    result.value =
      (await task('Comparing', (control) =>
        bout(document, [first, second], { ...control, rounds: wantedRuns.value }),
      )) ?? result.value;
  };
  return (
    <section class="stack" aria-label="Compare with">
      <h3>Compare with</h3>
      <div class="row fields">
        <Choice title="Compare with" options={KINDS} value={kind.value} onChange={(chosen) => void choose(chosen)} />
        {kind.value === 'sardonyx' && (
          <SettingsFields
            value={other.value}
            onChange={(value) => {
              other.value = value;
            }}
          />
        )}
        <button type="button" class="button" disabled={!isThere.value} onClick={() => void compare()}>
          Compare
        </button>
      </div>
      {isThere.value === false && <p class="quiet">{MISSING}</p>}
      {result.value && <Result bout={result.value} />}
    </section>
  );
}

const Result = ({ bout: { titles, medians, rounds, ratio } }: { bout: Bout }) => (
  <>
    <table class="table" aria-label="Times compared">
      <thead>
        <tr>
          <th scope="col">Configuration</th>
          <th scope="col" class="number">
            Median of {counted(rounds.length, 'round')}
          </th>
        </tr>
      </thead>
      <tbody>
        {titles.map((title, i) => (
          <tr key={title}>
            <td>{title}</td>
            <td class="number">{formatMilliseconds(medians[i] as number)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    <p>
      The second takes <strong>{ratio.toFixed(2)} ×</strong> as long as the first. Their runs alternate.
    </p>
  </>
);
