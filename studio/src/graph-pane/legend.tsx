import { signal } from '@preact/signals';
import { Icon } from '../design/icon.js';
import { heat } from '../workspace/workspace.js';
import { heatOf } from './heat-of.js';

/** The figure of the hottest node. */
export const most = signal(0);

/** What the colours of a heated drawing mean. */
export function Legend() {
  const shown = heat.value;
  if (!shown) return null;
  return (
    <div class="legend">
      <div
        class="legend-scale"
        role="img"
        aria-label={`Colours: ${shown.title}, up to ${heatOf(shown).words(most.value)} a node`}
      >
        <span>{shown.title}</span>
        <span class="ramp" />
        <span class="number">{heatOf(shown).words(most.value)} a node</span>
      </div>
      <button
        type="button"
        class="button plain"
        aria-label="Put the colours away"
        title="Put the colours away"
        onClick={() => {
          heat.value = null;
        }}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
