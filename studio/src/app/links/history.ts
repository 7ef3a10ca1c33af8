import { effect } from '@preact/signals';
import { view as graph, lookAt } from '../../features/graph/view.js';
import { note } from '../../store/notices.js';
import { enterGraph, redraw, showOnNodes } from '../../store/open-model.js';
import * as workspace from '../../store/workspace.js';
import { keepHash } from '../opening/recent.js';
import { PANELS } from '../panels.js';
import { hashOf } from './hash-of.js';
import { awaitFile, linkedView } from './linked.js';
import { type Drawing, readView, type Selected, type View, writeView } from './view.js';

/** Milliseconds between changes of the address: browsers limit their rate. */
const PAUSE = 200;

let isApplying = false;
/** The pending write; a newer address replaces it. */
let writing: ReturnType<typeof setTimeout> | undefined;

/** Keeps the address and the view in sync: on load, on changes, and on back and forward. */
export function followAddress(): void {
  const wanted = location.hash;
  let isFirst = true;
  effect(() => {
    const view = viewNow();
    const address = workspace.address.value;
    if (!view || isApplying) return;
    if (isFirst) {
      isFirst = false;
      if (address !== null && wanted) return void apply(readView(wanted));
    }
    clearTimeout(writing);
    writing = setTimeout(() => write(view, address), PAUSE);
  });
  addEventListener('popstate', () => void follow(readView(location.hash)));
  if (!new URLSearchParams(location.search).has('url')) void follow(readView(wanted));
  let checked = 0;
  effect(() => {
    const [document, files] = [workspace.model.value, workspace.files.value];
    // Wait until the graph of a newly opened model is in view.
    if (!document || !files || workspace.outline.value !== document.outline || document.id === checked) return;
    checked = document.id;
    void linkedView(files).then((view) => view && apply(view));
  });
}

/** Applies a view; a link to a local file waits until that file is open. */
async function follow(view: View): Promise<void> {
  if (!view.file) return apply(view);
  const { name, hash } = view.file;
  const open = workspace.files.value;
  if (open && (await hashOf(open.model)) === hash) return apply(view);
  await awaitFile(view);
  if (open && workspace.files.value === open) note(`This link shows ${name}`, 'Open this file to see the linked view.');
}

/** The address of the current view with its camera, and the file's hash for a local file. */
export async function linkNow(): Promise<string> {
  const [view, address, files] = [viewNow(), workspace.address.value, workspace.files.value];
  const url = new URL(location.href);
  if (!view || !files) return url.href;
  const file = address === null ? { name: files.name, hash: await hashOf(files.model) } : undefined;
  if (file) await keepHash(files.model, file.hash);
  const camera = graph.value?.position();
  const [direction, folds, shown] = [workspace.direction.value, workspace.folds.value, workspace.shown.value];
  url.hash = writeView({
    ...view,
    ...(camera && { drawing: { direction, folds, shown, camera } }),
    ...(file && { file }),
  });
  return url.href;
}

/** The current view; null before a graph is shown. */
function viewNow(): View | null {
  const [graph, tree, chosen] = [workspace.outline.value, workspace.modules.value, workspace.selection.value];
  if (!graph || !tree) return null;
  const paths = [...workspace.opened.value].map((module) => tree.path[module] ?? '');
  const opened = isSame(paths, workspace.firstOpened.value) ? null : paths;
  return {
    panel: workspace.panel.value,
    graph: graph.path,
    opened,
    selected: chosen && selectedOf(chosen),
  };
}

const isSame = <T>(some: readonly T[], others: readonly T[]): boolean =>
  some.length === others.length && some.every((each) => others.includes(each));

function selectedOf({ kind, index }: workspace.Subject): Selected {
  if (kind === 'node') return { kind, index };
  const name =
    kind === 'value'
      ? workspace.text(workspace.outline.value?.values.name[index])
      : workspace.modules.value?.path[index];
  return { kind, name: name ?? '' };
}

/** Changing the graph adds a history entry; any other change replaces the current one. */
function write(view: View, address: string | null): void {
  const url = new URL(location.href);
  if (address === null) url.searchParams.delete('url');
  else url.searchParams.set('url', address);
  url.search = url.search.replaceAll('%2F', '/');
  url.hash = writeView(view);
  if (url.href === location.href) return;
  const before = (history.state as { graph?: string } | null)?.graph ?? '';
  const state = { graph: view.graph };
  if (before === view.graph) history.replaceState(state, '', url);
  else history.pushState(state, '', url);
}

/** Applies the view of an address, as far as the model allows. */
async function apply(view: View): Promise<void> {
  if (!workspace.model.value) return;
  isApplying = true;
  clearTimeout(writing);
  try {
    if (view.panel === null) workspace.closePanel();
    else if (PANELS.some(({ id }) => id === view.panel)) workspace.openPanel(view.panel);
    await enterGraph(view.graph);
    const paths = workspace.modules.value?.path ?? [];
    const wanted = view.opened ?? workspace.firstOpened.value;
    const opened = new Set(wanted.map((path) => paths.indexOf(path)).filter((module) => module >= 0));
    if (!isSame([...opened], [...workspace.opened.value])) await redraw({ opened });
    const subject = view.selected && subjectOf(view.selected);
    if (subject && !view.drawing) workspace.select(subject);
    else workspace.setSelection(subject);
    if (view.drawing) await draw(view.drawing);
  } finally {
    isApplying = false;
  }
  if (history.state === null) history.replaceState({ graph: workspace.outline.value?.path ?? '' }, '');
}

async function draw({ direction, folds, shown, camera }: Drawing): Promise<void> {
  if (direction !== workspace.direction.value || folds !== workspace.folds.value) await redraw({ direction, folds });
  if (JSON.stringify(shown) !== JSON.stringify(workspace.shown.value)) await showOnNodes(shown);
  lookAt(camera);
}

function subjectOf(selected: Selected): workspace.Subject | null {
  const [graph, tree] = [workspace.outline.value, workspace.modules.value];
  if (!graph || !tree) return null;
  if (selected.kind === 'node') return selected.index < graph.nodes.count ? selected : null;
  const { kind, name } = selected;
  const index =
    kind === 'module' ? tree.path.indexOf(name) : graph.values.name.findIndex((each) => workspace.text(each) === name);
  return index >= 0 ? { kind, index } : null;
}
