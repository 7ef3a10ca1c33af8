import { openModel } from '../../store/open-model.js';
import { download } from '../../ui/download.js';
import { counted, formatBytes } from '../../ui/quantities.js';
import type { OutputAccuracy } from '../../workers/contracts/quantize.js';
import { LayerErrors } from './layer-errors.js';
import { type Result, rankByOutput } from './state.js';

/** The savings and losses of quantisation, and the quantised model. */
export function Outcome(result: Result) {
  const { of, quantized } = result;
  const { before, after, outputs, samples, layers } = quantized;
  const name = of.replace(/(\.onnx)?$/i, '-quantized.onnx');
  return (
    <section class="stack" aria-label="Result">
      <h3>
        {formatBytes(before)} → {formatBytes(after)}, {sizeSaid(before / after)}
      </h3>
      <div class="row">
        <button type="button" class="button" onClick={() => download(name, quantized.model)}>
          Download
        </button>
        <button
          type="button"
          class="button"
          onClick={() => void openModel({ name, model: quantized.model, beside: [] })}
        >
          Open
        </button>
      </div>
      <Accuracy outputs={outputs} />
      <p class="quiet">Measured on {counted(samples, 'sample')}.</p>
      {layers.length > 0 && <LayerErrors layers={layers} onRank={() => void rankByOutput(result)} />}
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
