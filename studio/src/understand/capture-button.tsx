import { Choice } from '../design/choice.js';
import { settings } from '../runs/current.js';
import { describeSettings } from '../runs/settings.js';
import { captured, captureValues, isWhole } from './state.js';

const GRAPHS = [
  ['whole', 'Of the model as it is: all'],
  ['optimised', 'Of the optimised graph'],
] as const;

/** Runs the model on what the Run panel feeds, and keeps its values. */
export const CaptureButton = () => (
  <div class="row fields">
    <Choice
      title="Values"
      options={GRAPHS}
      value={isWhole.value ? 'whole' : 'optimised'}
      onChange={(graph) => {
        isWhole.value = graph === 'whole';
      }}
    />
    <button type="button" class="button primary" onClick={() => void captureValues()}>
      Capture
    </button>
    <span class="quiet">
      {captured.value
        ? `${captured.value.values.length} values, ${describeSettings(captured.value.settings)}`
        : `fed as the Run panel says, ${describeSettings(settings.value)}`}
    </span>
  </div>
);
