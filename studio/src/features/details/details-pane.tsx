import { effect, signal } from '@preact/signals';
import { modules, outline, panel, type Subject, selection, setSelection, text } from '../../store/workspace.js';
import { Icon } from '../../ui/icon.js';
import { onDemand } from '../../ui/on-demand.js';

const Details = onDemand(() => import('./details.js'));

/** Whether the details are open on a narrow page, in place of an open tool; everywhere else they are always open. */
const isUnfolded = signal(false);

effect(() => {
  void panel.value;
  isUnfolded.value = false;
});

/** The details of the selection; hidden if nothing is selected. Escape closes them. */
export function DetailsPane() {
  const chosen = selection.value;
  if (!chosen || !outline.value) return null;
  return (
    <aside
      class={isUnfolded.value ? 'details' : 'details folded'}
      aria-label="Details"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <div class="panel">
        <div class="details-head">
          <h2>{titleOf(chosen)}</h2>
          <button
            type="button"
            class="button plain details-fold"
            aria-expanded={isUnfolded.value}
            onClick={() => {
              isUnfolded.value = !isUnfolded.value;
            }}
          >
            Details
          </button>
          <button type="button" class="button plain" aria-label="Close details" onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        <Details />
      </div>
    </aside>
  );
}

function close(): void {
  setSelection(null);
}

const titleOf = ({ kind, index }: Subject): string =>
  ({
    node: text(outline.value?.nodes.operator[index]),
    value: text(outline.value?.values.name[index]),
    module: modules.value?.title[index] ?? '',
  })[kind];
