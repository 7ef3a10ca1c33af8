import { Icon } from '../design/icon.js';
import { outline, selection, text } from '../workspace/workspace.js';

/** What is selected in the graph; nothing where nothing is. */
export function DetailsPane() {
  const chosen = selection.value;
  const graph = outline.value;
  if (!chosen || !graph || chosen.kind === 'module') return null;
  const title =
    chosen.kind === 'node' ? text(graph.nodes.operator[chosen.index]) : text(graph.values.name[chosen.index]);
  return (
    <aside class="details" aria-label="Details">
      <div class="panel">
        <div class="row">
          <h2>{title}</h2>
          <button
            type="button"
            class="button plain"
            aria-label="Close details"
            onClick={() => {
              selection.value = null;
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      </div>
    </aside>
  );
}
