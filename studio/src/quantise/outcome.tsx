import { download } from '../design/download.js';
import { counted, formatBytes } from '../design/quantities.js';
import { openModel } from '../workspace/open-model.js';
import { LayerErrors } from './layer-errors.js';
import type { OutputAccuracy } from './service.js';
import type { Result } from './state.js';

/** What quantising saves and costs, and the model that it made. */
export function Outcome({ of, quantised }: Result) {
  const { before, after, outputs, samples, layers } = quantised;
  const name = of.replace(/(\.onnx)?$/i, '-quantized.onnx');
  return (
    <section class="stack" aria-label="Result">
      <h3>
        {formatBytes(before)} → {formatBytes(after)}, {sizeSaid(before / after)}
      </h3>
      <div class="row">
        <button type="button" class="button" onClick={() => download(name, quantised.model)}>
          Download
        </button>
        <button
          type="button"
          class="button"
          onClick={() => void openModel({ name, model: quantised.model, beside: [] })}
        >
          Open
        </button>
      </div>
      <Accuracy outputs={outputs} />
      <p class="quiet">Measured on {counted(samples, 'sample')}.</p>
      {layers.length > 0 && <LayerErrors layers={layers} />}
    </section>
  );
}

const sizeSaid = (times: number): string =>
  times === 1
    ? 'same size'
    : times > 1
      ? `${times.toFixed(2)} times smaller`
      : `${(1 / times).toFixed(2)} times larger`;

const Accuracy = ({ outputs }: { outputs: readonly OutputAccuracy[] }) => (
  <table class="table">
    <thead>
      <tr>
        <th>Output</th>
        <th class="number">Signal to noise</th>
        <th class="number">Same top class</th>
      </tr>
    </thead>
    <tbody>
      {outputs.map(({ name, sqnr, sameTop }) => (
        <tr key={name}>
          <td>{name}</td>
          <td class="number">{Number.isFinite(sqnr) ? `${sqnr.toFixed(1)} dB` : 'no noise'}</td>
          <td class="number">{sameTop === undefined ? '' : `${(sameTop * 100).toFixed(1)} %`}</td>
        </tr>
      ))}
    </tbody>
  </table>
);
