import { computed, effect } from '@preact/signals';
import { model, modules, outline, setHeat } from '../../store/workspace.js';
import { heatBy, placedIn } from './in-graph.js';
import { overlay, overlayBy } from './overlay.js';

/** The overlay's remarks on the graph in view. */
export const placed = computed(() =>
  overlay.value && outline.value ? placedIn(outline.value, overlay.value) : undefined,
);

effect(() => {
  const [found, graph, divided] = [placed.value, outline.value, modules.value];
  if (!found || !graph || !divided) return;
  const title = found.titles.includes(overlayBy.value) ? overlayBy.value : found.titles[0];
  if (title !== undefined) setHeat(heatBy(found, title, graph, divided));
});

/** Editing a model does not change its id. */
const opened = computed(() => model.value?.id);

effect(() => {
  if (opened.value === undefined) return;
  overlay.value = null;
});
