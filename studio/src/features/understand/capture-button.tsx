import { settings } from '../../store/session.js';
import { describeSettings } from '../session/describe-settings.js';
import { GraphChoice } from './graph-choice.js';
import { captured, captureValues } from './state.js';

/** Runs the model on what the Run panel feeds, and keeps its values. */
export const CaptureButton = () => (
  <div class="row fields">
    <GraphChoice />
    <button type="button" class="button primary" onClick={() => void captureValues()}>
      Capture
    </button>
    <span class="quiet">
      {captured.value
        ? `${captured.value.values.length} values, the graph ${describeSettings(captured.value.settings)}`
        : `fed as the Run panel says, the graph ${describeSettings(settings.value)}`}
    </span>
  </div>
);
