import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import '../../canvas/graph.css';
import { createGraphView } from '../../canvas/view/create-view.js';
import type { GraphView } from '../../canvas/view/view.js';
import { found, heat, marks, outline, panel, revealed, selection, tourStep } from '../../store/workspace.js';
import { badgesByNode } from './badges.js';
import { drawn } from './drawn.js';
import './graph-pane.css';
import { heatOf } from './heat-of.js';
import { hooks } from './hooks.js';
import { Legends, most } from './legend.js';
import { OfferedGraphs } from './offered-graphs.js';
import { reveal } from './reveal.js';
import { Tip } from './tip.js';
import { Toolbar } from './toolbar.js';
import { place, view } from './view.js';

export function GraphPane() {
  const host = useRef<HTMLDivElement>(null);
  const made = useSignal<GraphView | null>(null);
  useEffect(() => {
    const created = createGraphView(host.current as HTMLDivElement, hooks);
    made.value = created;
    view.value = created;
    return () => {
      view.value = null;
      created.dispose();
    };
  }, []);
  useSignalEffect(() => {
    if (drawn.value) made.value?.show(drawn.value);
  });
  useSignalEffect(() => {
    if (made.value) most.value = made.value.setHeat(heat.value ? heatOf(heat.value) : undefined);
  });
  useSignalEffect(() => made.value?.setBadges(badgesByNode(marks.value, found.value, outline.peek())));
  useSignalEffect(() => made.value?.select(selection.value ?? undefined));
  useSignalEffect(() => {
    // Panels that open beside or over the drawing are rendered after a frame.
    void [selection.value, panel.value, tourStep.value, heat.value, marks.value];
    requestAnimationFrame(() => requestAnimationFrame(() => made.peek()?.settle()));
  });
  useSignalEffect(() => {
    const [drawing, at, now] = [made.value, place.value, drawn.value];
    if (!drawing || !at || !now) return;
    place.value = null;
    drawing.show(now);
    drawing.moveTo(at);
  });
  useSignalEffect(() => {
    if (revealed.value && made.value) void reveal(made.value, revealed.value);
  });
  return (
    <div class="graph-pane">
      <div ref={host} />
      {drawn.value?.picture.boxes.count === 0 && <p class="nothing">This graph has no inputs, outputs, or nodes.</p>}
      <Toolbar />
      <Legends />
      <Tip />
      <OfferedGraphs />
    </div>
  );
}
