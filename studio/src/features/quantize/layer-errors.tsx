import { outline, selectNode } from '../../store/workspace.js';
import { Pick } from '../../ui/pick.js';
import type { LayerError } from '../../workers/contracts/quantize.js';
import { ERRORS, nodeOf } from './layer-heat.js';
import { heatBy } from './state.js';

/** Maximum number of rows; the remaining layers have smaller errors. */
const SHOWN = 200;

/** The error of each node's rounding, worst first, as a list and as colours of the graph; a row leads to its node. */
export const LayerErrors = ({ layers, onRank }: { layers: readonly LayerError[]; onRank: () => void }) => (
  <section class="stack">
    <h3>Error by layer</h3>
    <Pick
      title="Color graph by"
      of={heatBy}
      options={ERRORS.filter(([id]) => layers.some((layer) => layer[id] !== undefined)).map(([id, title]) => [
        id,
        `Noise ${title}`,
      ])}
    />
    {isRanked(layers) ? (
      <p class="quiet">
        Worst first by Model output: the signal to noise of the model's outputs if only this node is quantized.
      </p>
    ) : (
      <div class="row">
        <button type="button" class="button" onClick={onRank}>
          Rank by model output
        </button>
        <span class="quiet">Quantizes each node alone and runs the samples.</span>
      </div>
    )}
    <table class="table layer-errors">
      <thead>
        <tr>
          <th>Node</th>
          {isRanked(layers) && <th class="number">Model output</th>}
          <th class="number">Weight</th>
          <th class="number">Bias</th>
          <th class="number">Alone</th>
          <th class="number">Accumulated</th>
        </tr>
      </thead>
      <tbody>
        {layers.slice(0, SHOWN).map((layer) => (
          <tr key={layer.node || layer.value}>
            <td>
              <button type="button" class="link" onClick={() => select(layer)}>
                {layer.node || layer.value}
              </button>{' '}
              <span class="quiet">{layer.operator}</span>
            </td>
            {isRanked(layers) && <td class="number">{decibels(layer.output)}</td>}
            <td class="number">{decibels(layer.weight)}</td>
            <td class="number">{decibels(layer.bias)}</td>
            <td class="number">{decibels(layer.alone)}</td>
            <td class="number">{decibels(layer.accumulated)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {layers.length > SHOWN && <p class="quiet">and {layers.length - SHOWN} more with less noise</p>}
  </section>
);

const isRanked = (layers: readonly LayerError[]): boolean => layers.some(({ output }) => output !== undefined);

const decibels = (ratio: number | undefined): string =>
  ratio === undefined ? '' : Number.isFinite(ratio) ? `${ratio.toFixed(1)} dB` : 'no noise';

function select(layer: LayerError): void {
  const graph = outline.value;
  if (!graph) return;
  const index = nodeOf(layer, graph);
  if (index >= 0) selectNode(index);
}
