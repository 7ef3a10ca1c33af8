import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { Tabs, tabId } from '../design/tabs.js';
import '../runs/fields.css';
import { Engines } from './engines.js';
import { LayerChart } from './layer-chart.js';
import { RewriteList } from './rewrite-list.js';
import { Values } from './values.js';

const TABS = [
  { id: 'values', title: 'Values' },
  { id: 'layers', title: 'By layer' },
  { id: 'rewrites', title: 'Rewrites' },
  { id: 'engines', title: 'Beside onnxruntime' },
] as const;
type View = (typeof TABS)[number]['id'];

const VIEWS: Readonly<Record<View, ComponentType>> = {
  values: Values,
  layers: LayerChart,
  rewrites: RewriteList,
  engines: Engines,
};

const BODY = 'understood';

/** What every value of a run holds, what the optimizer does, and where results part from another engine's. */
export default function UnderstandPanel() {
  const view = useSignal<View>('values');
  const View = VIEWS[view.value];
  return (
    <div class="panel">
      <h2>Understand</h2>
      <Tabs
        label="What is to be understood"
        tabs={TABS}
        value={view.value}
        controls={BODY}
        onChange={(id) => {
          view.value = id;
        }}
      />
      <section role="tabpanel" id={BODY} aria-labelledby={tabId(BODY, view.value)} class="stack">
        <View />
      </section>
    </div>
  );
}
