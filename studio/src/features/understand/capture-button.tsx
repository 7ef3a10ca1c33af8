import { settings } from '../../store/session.js';
import { counted } from '../../ui/quantities.js';
import { describeSettings } from '../session/describe-settings.js';
import { GraphChoice } from './graph-choice.js';
import { captured, captureValues } from './state.js';

/** Runs the model on the inputs of the Run panel, and captures its values. */
export const CaptureButton = () => (
  <div class="row fields">
    <GraphChoice />
    <button type="button" class="button primary" onClick={() => void captureValues()}>
      Capture
    </button>
    <span class="quiet">
      {captured.value
        ? `${counted(captured.value.values.length, 'value')}; graph: ${describeSettings(captured.value.settings)}`
        : `Uses the inputs of the Run panel; graph: ${describeSettings(settings.value)}`}
    </span>
  </div>
);
