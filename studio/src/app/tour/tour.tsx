import { useEffect, useRef } from 'preact/hooks';
import digits from '../../../../examples/digits/model.onnx?url';
import { report } from '../../store/notices.js';
import { openModel } from '../../store/open-model.js';
import { closePanel, openPanel, showTourStep, tourStep } from '../../store/workspace.js';
import { Icon } from '../../ui/icon.js';
import { STEPS } from './steps.js';
import './tour.css';

/** Opens the digits network and starts the tour. */
export async function startTour(): Promise<void> {
  const response = await fetch(digits);
  if (!response.ok) return report('Cannot load the digits model', new Error(`the server returned ${response.status}`));
  if (await openModel({ name: 'digits.onnx', model: await response.blob(), beside: [] })) go(0);
}

function go(to: number): void {
  showTourStep(to);
  const { panel = null } = STEPS[to] ?? {};
  if (panel === null) closePanel();
  else openPanel(panel);
  void STEPS[to]?.prepare?.();
}

/** A card at the edge of the page, out of the way. */
export function Tour() {
  const card = useRef<HTMLDivElement>(null);
  const at = tourStep.value;
  useEffect(() => card.current?.focus(), [at === null]);
  const shown = at === null ? undefined : STEPS[at];
  if (at === null || !shown) return null;
  const end = () => showTourStep(null);
  return (
    <div
      class="tour"
      role="dialog"
      aria-label="Tour"
      tabIndex={-1}
      ref={card}
      onKeyDown={(event) => {
        if (event.key === 'Escape') end();
      }}
    >
      <div class="row">
        <h2>{shown.title}</h2>
        <span class="quiet">
          {at + 1} of {STEPS.length}
        </span>
        <button type="button" class="button plain" aria-label="End tour" onClick={end}>
          <Icon name="close" />
        </button>
      </div>
      <p aria-live="polite">{shown.text}</p>
      <div class="row">
        <button type="button" class="button" disabled={at === 0} onClick={() => go(at - 1)}>
          Back
        </button>
        {at + 1 < STEPS.length ? (
          <button type="button" class="button primary" onClick={() => go(at + 1)}>
            Next
          </button>
        ) : (
          <button type="button" class="button primary" onClick={end}>
            Done
          </button>
        )}
      </div>
    </div>
  );
}
