import '../session/fields.css';
import './run.css';
import { useEffect } from 'preact/hooks';
import { takeFiles } from '../../store/file-takers.js';
import { currentSession, done, session, setSettings, settings } from '../../store/session.js';
import { model } from '../../store/workspace.js';
import { SettingsFields } from '../session/settings-fields.js';
import { Inputs } from './inputs.js';
import { LabelChoice } from './label-choice.js';
import { RunCard } from './run-card.js';
import { Sizes } from './sizes.js';
import { isLive, runModel } from './state.js';
import { takeDropped } from './take-dropped.js';

/** Feeds and runs the model, and shows the results of runs side by side. */
export default function RunPanel() {
  const document = model.value;
  const chosen = settings.value;
  useEffect(() => void currentSession(), [document, chosen]);
  useEffect(() => takeFiles(takeDropped), []);
  return (
    <div class="panel">
      <h2>Run</h2>
      <SettingsFields value={chosen} onChange={setSettings} />
      {session.value && (
        <>
          <Sizes inputs={session.value.inputs} />
          <Inputs inputs={session.value.inputs} />
        </>
      )}
      <div class="row">
        <button type="button" class="button primary" onClick={() => void runModel()}>
          Run
        </button>
        <button
          type="button"
          class="button"
          title="Run whenever the input changes"
          aria-pressed={isLive.value}
          onClick={() => {
            isLive.value = !isLive.value;
          }}
        >
          Live
        </button>
      </div>
      <LabelChoice />
      <Results />
    </div>
  );
}

const Results = () => (
  <section class="runs" aria-label="Runs">
    {done.value.map((run, i) => (
      <RunCard key={run.id} run={run} number={done.value.length - i} />
    ))}
  </section>
);
