import { outline, revealed, selection, text } from '../workspace/workspace.js';
import type { LayerError } from './service.js';

/** As many as anyone reads; the rest are better. */
const SHOWN = 200;

/** What each node's rounding costs, what costs most first; a row leads to its node. */
export const LayerErrors = ({ layers }: { layers: readonly LayerError[] }) => (
  <section>
    <h3>Error by layer</h3>
    <table class="table">
      <thead>
        <tr>
          <th>Node</th>
          <th class="number">Weight</th>
          <th class="number">Alone</th>
          <th class="number">With all before</th>
        </tr>
      </thead>
      <tbody>
        {layers.slice(0, SHOWN).map((layer) => (
          <tr key={`${layer.node} ${layer.value}`}>
            <td>
              <button type="button" class="link" onClick={() => select(layer)}>
                {layer.node || layer.value}
              </button>{' '}
              <span class="quiet">{layer.operator}</span>
            </td>
            <td class="number">{decibels(layer.weight)}</td>
            <td class="number">{decibels(layer.alone)}</td>
            <td class="number">{decibels(layer.accumulated)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

const decibels = (ratio: number | undefined): string => (ratio === undefined ? '' : `${ratio.toFixed(1)} dB`);

function select({ node, value }: LayerError): void {
  const graph = outline.value;
  if (!graph) return;
  const made = graph.values.name.findIndex((name) => text(name) === value);
  const producer = graph.values.producer[made] ?? -1;
  const index = producer >= 0 ? producer : graph.nodes.name.findIndex((name) => text(name) === node);
  if (index < 0) return;
  selection.value = { kind: 'node', index };
  revealed.value = { kind: 'node', index };
}
