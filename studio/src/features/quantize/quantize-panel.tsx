import '../session/fields.css';
import './quantize.css';
import { useEffect } from 'preact/hooks';
import { takeFiles } from '../../store/file-takers.js';
import { model } from '../../store/workspace.js';
import { Choices } from './choices.js';
import { Outcome } from './outcome.js';
import { SampleFields } from './sample-fields.js';
import { quantizeModel, result, takeSamples } from './state.js';

/** Quantises the weights, or everything, of the model in view, and shows the savings and losses. */
export default function QuantizePanel() {
  useEffect(() => takeFiles(takeSamples), []);
  return (
    <div class="panel">
      <h2>Quantize</h2>
      <Choices />
      <SampleFields />
      <div class="row">
        <button type="button" class="button primary" disabled={!model.value} onClick={() => void quantizeModel()}>
          Quantize
        </button>
      </div>
      {result.value && <Outcome {...result.value} />}
    </div>
  );
}
