import { setHeat } from '../../store/workspace.js';
import { Choice } from '../../ui/choice.js';
import { reachOf } from './in-graph.js';
import { overlay, overlayBy } from './overlay.js';
import { placed } from './placed.js';
import { Remarks } from './remarks.js';

/** The overlay of the model: the choice of colours, and the remarks on the model as a whole. */
export function OverlaySection() {
  const [file, found] = [overlay.value, placed.value];
  if (!file || !found) return null;
  const { titles } = found;
  return (
    <>
      <section aria-label={`Metrics from ${file.name}`}>
        <h3>Metrics from a file</h3>
        <p class="quiet">
          {file.name}: {reachOf(found)} in this graph
        </p>
        <div class="row">
          {titles.length > 0 && (
            <Choice
              title="Color graph by"
              options={titles.map((title) => [title, title] as const)}
              value={titles.includes(overlayBy.value) ? overlayBy.value : (titles[0] as string)}
              onChange={(title) => {
                overlayBy.value = title;
              }}
            />
          )}
          <button
            type="button"
            class="button"
            onClick={() => {
              overlay.value = null;
              setHeat(null);
            }}
          >
            Remove
          </button>
        </div>
      </section>
      <Remarks title="Model metrics" of={file.remarks.filter(({ of }) => of === 'model')} />
    </>
  );
}
