import { computed, effect, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentType } from 'preact';
import { pair } from '../../features/compare/pair.js';
import { DetailsPane } from '../../features/details/details-pane.js';
import { leaving } from '../../features/edit/leave.js';
import { GraphPane } from '../../features/graph/graph-pane.js';
import { isDropTarget } from '../../store/file-takers.js';
import { seen } from '../../store/seen-tensor.js';
import { isUnsaved } from '../../store/unsaved.js';
import { closePanel, model, panel as opened } from '../../store/workspace.js';
import { Icon } from '../../ui/icon.js';
import { onDemand } from '../../ui/on-demand.js';
import { isAvailable, PANELS, type Panel } from '../panels.js';
import { Tour } from '../tour/tour.js';
import { Header } from './header.js';
import { Notices } from './notices.js';
import { Rail } from './rail.js';
import { Splitter } from './splitter.js';
import { Welcome } from './welcome.js';

/** The open panel, if the model meets its needs. */
const current = computed(() => PANELS.find((each) => each.id === opened.value && isAvailable(each)));

const SecondGraph = onDemand(() => import('../../features/compare/second-graph.js'));
const LeaveDialog = onDemand(() => import('../../features/edit/leave-dialog.js'));
const TensorDialog = onDemand(() => import('../../features/tensors/tensor-dialog.js'));

effect(() => {
  const mark = isUnsaved.value ? '• ' : '';
  document.title = model.value ? `${mark}${model.value.name} · Sardonyx Studio` : 'Sardonyx Studio';
});

export const App = () => (
  <>
    <Header />
    <div class={current.value && !model.value ? 'body alone' : 'body'}>
      <Rail />
      {current.value && <Side panel={current.value} />}
      <main class="stage" aria-label="Graph">
        {model.value ? <GraphPane /> : !current.value && <Welcome />}
        {pair.value && model.value && <SecondGraph />}
        {isDropTarget.value && <div class="drop-target">Drop a model, a folder, or a training log</div>}
      </main>
      <DetailsPane />
    </div>
    <Tour />
    {seen.value && <TensorDialog />}
    {leaving.value && <LeaveDialog />}
    <Notices />
  </>
);

function Side({ panel }: { panel: Panel }) {
  const loaded = useSignal<{ readonly of: Panel; readonly Content: ComponentType } | null>(null);
  const wanted = useSignal(panel);
  wanted.value = panel;
  useSignalEffect(() => {
    const of = wanted.value;
    void of.load().then(({ default: Content }) => {
      loaded.value = { of, Content };
    });
  });
  const Content = useComputed(() => (loaded.value?.of === wanted.value ? loaded.value.Content : undefined)).value;
  return (
    <section class={panel.isWide ? 'side wide' : 'side'} aria-label={panel.title} id={`panel-${panel.id}`}>
      <button type="button" class="button plain side-close" aria-label="Close panel" onClick={closePanel}>
        <Icon name="close" />
      </button>
      {Content && <Content />}
      <Splitter isWide={panel.isWide ?? false} />
    </section>
  );
}
