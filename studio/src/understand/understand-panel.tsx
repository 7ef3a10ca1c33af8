import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import '../runs/fields.css';
import { Engines } from './engines.js';
import { LayerChart } from './layer-chart.js';
import { RewriteList } from './rewrite-list.js';
import { Values } from './values.js';

const VIEWS: readonly { readonly title: string; readonly View: ComponentType }[] = [
  { title: 'Values', View: Values },
  { title: 'By layer', View: LayerChart },
  { title: 'Rewrites', View: RewriteList },
  { title: 'Beside onnxruntime', View: Engines },
];

/** What every value of a run holds, what the optimizer does, and where results part from another engine's. */
export default function UnderstandPanel() {
  const view = useSignal(0);
  const { View, title } = VIEWS[view.value] as (typeof VIEWS)[number];
  return (
    <div class="panel">
      <h2>Understand</h2>
      <div class="row tabs" role="tablist" aria-label="What is to be understood">
        {VIEWS.map((each, i) => (
          <button
            key={each.title}
            type="button"
            role="tab"
            class="button"
            aria-selected={view.value === i}
            onClick={() => {
              view.value = i;
            }}
          >
            {each.title}
          </button>
        ))}
      </div>
      <section role="tabpanel" aria-label={title} class="stack">
        <View />
      </section>
    </div>
  );
}
