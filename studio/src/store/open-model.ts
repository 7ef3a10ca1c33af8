import { batch, effect } from '@preact/signals';
import type { Outline } from '../graph/outline.js';
import { sameIn } from '../graph/same-in.js';
import { counted } from '../ui/quantities.js';
import type { ModelFiles, OpenedDocument } from '../workers/contracts/documents.js';
import { task } from './notices.js';
import { whenSeen } from './seen.js';
import * as workspace from './state.js';
import { withTypes } from './with-types.js';
import { documents } from './workers/documents.js';
import { layout } from './workers/layout.js';

/** Asks whether a model may replace the one in view. */
let mayOpen: (name: string) => Promise<boolean> = async () => true;

export function guardModel(ask: typeof mayOpen): void {
  mayOpen = ask;
}

/** The latest requested model. */
let wanted: ModelFiles | null = null;

/**
 * Opens and draws a model in place of the one in view; if it cannot be read, the error is reported and the one in view stays. Of models
 * opened at the same time, the last is shown.
 */
export async function openModel(files: ModelFiles, address: string | null = null): Promise<boolean> {
  if (!(await mayOpen(files.name))) return false;
  wanted = files;
  const document = await task(
    `Opening ${files.name}`,
    ({ signal }) => openUnless(files, () => signal.aborted || wanted !== files),
    (found) => (found ? `${found.name}: ${counted(found.outline.nodes.operator.length, 'node')}` : ''),
  );
  if (!document) return false;
  const before = workspace.model.value;
  batch(() => {
    workspace.model.value = document;
    workspace.files.value = files;
    workspace.address.value = address;
    workspace.selection.value = null;
    // They are about the previous model.
    workspace.notices.value = [];
  });
  await show(document.outline);
  // Panels may have queried it until now.
  if (before) void documents.close(before.id);
  return true;
}

async function openUnless(files: ModelFiles, isLeft: () => boolean): Promise<OpenedDocument | undefined> {
  const document = await documents.open(files);
  if (!isLeft()) return document;
  void documents.close(document.id);
  return undefined;
}

/** Enters a graph of the model in view by its path; '' is the main graph. */
export async function enterGraph(path: string): Promise<void> {
  const document = workspace.model.value;
  if (!document || workspace.outline.value?.path === path) return;
  const outline =
    path === '' ? document.outline : await task('Opening the graph', () => documents.outline(document.id, path));
  if (outline) await show(outline);
}

/** Shows a changed document in a single update: the graph in view, its opened modules and selection, as far as they still exist. */
export async function showChanged(document: OpenedDocument): Promise<void> {
  const path = workspace.outline.value?.path ?? '';
  const opened = [...workspace.opened.value].map((module) => workspace.modules.value?.path[module] ?? '');
  const outline =
    path === '' ? document.outline : await documents.outline(document.id, path).catch(() => document.outline);
  await show(outline, opened, () => {
    const [before, chosen] = [workspace.outline.value, workspace.selection.value];
    workspace.model.value = document;
    return before && chosen && sameIn(outline, before, chosen);
  });
  workspace.files.value = await documents.files(document.id);
}

/** Draws a graph; `swap` returns the selection at the moment it replaces the previous graph. */
async function show(
  outline: Outline,
  openedPaths: readonly string[] | null = null,
  swap: () => workspace.Subject | null = () => null,
): Promise<void> {
  const { modules, picture, opened } = await layout.draw(outline, {
    opened: openedPaths ?? [],
    room: openedPaths ? undefined : roomOfGraph(),
    direction: workspace.direction.value,
    folds: workspace.folds.value,
  });
  batch(() => {
    workspace.selection.value = swap();
    workspace.heat.value = null;
    workspace.marks.value = new Map();
    workspace.opened.value = new Set(opened);
    if (!openedPaths) workspace.firstOpened.value = opened.map((module) => modules.path[module] ?? '');
    workspace.lines.value = [];
    workspace.outline.value = outline;
    workspace.modules.value = modules;
    workspace.picture.value = picture;
  });
  void addTypes(outline);
  if (Object.values(workspace.shown.value).some(Boolean)) void showOnNodes({});
}

/** The graph's size in pixels; that of a typical page if there is no layout yet. */
function roomOfGraph() {
  const { clientWidth = 0, clientHeight = 0 } = document.querySelector('.stage') ?? {};
  return { width: clientWidth || 1000, height: clientHeight || 800 };
}

/** Shows or hides names, attributes or shapes of weights on nodes. */
export async function showOnNodes(change: Partial<typeof workspace.shown.value>): Promise<void> {
  const shown = { ...workspace.shown.value, ...change };
  workspace.shown.value = shown;
  const [document, outline] = [workspace.model.value, workspace.outline.value];
  if (!document || !outline) return;
  const isAny = Object.values(shown).some(Boolean);
  const lines = isAny ? await documents.nodeLines(document.id, outline.path, shown) : [];
  if (workspace.outline.value?.path !== outline.path || workspace.shown.value !== shown) return;
  await layout.describe(lines);
  await redraw({ lines });
}

/** The graph in view before its types were known. */
let drawnOutline: Outline | null = null;

/** Types follow the drawing: inference of a large model takes longer than its layout. */
async function addTypes(outline: Outline): Promise<void> {
  drawnOutline = outline;
  const document = workspace.model.value;
  if (!document) return;
  await whenSeen();
  const seen = workspace.ran.peek();
  const types = await documents.types(document.id, outline.path, fedIn(document, seen)).catch(() => undefined);
  if (!types || drawnOutline !== outline || workspace.ran.peek() !== seen) return;
  workspace.outline.value = withTypes(outline, types, seen);
}

/** The sizes of the inputs in a run. */
const fedIn = ({ outline }: OpenedDocument, seen: typeof workspace.ran.value): Record<string, readonly number[]> =>
  Object.fromEntries(
    Array.from(outline.inputs, (value) => outline.strings[outline.values.name[value] as number] as string).flatMap(
      (name) => {
        const found = seen.get(name);
        return found ? [[name, found.dims]] : [];
      },
    ),
  );

effect(() => {
  void workspace.ran.value;
  if (drawnOutline) void addTypes(drawnOutline);
});

/** Redraws the graph in view, for example with other modules open or in another direction. */
export async function redraw(change: Partial<Drawn>): Promise<void> {
  batch(() => {
    if (change.opened) workspace.opened.value = change.opened;
    if (change.direction) workspace.direction.value = change.direction;
    if (change.folds !== undefined) workspace.folds.value = change.folds;
  });
  const options = { direction: workspace.direction.value, folds: workspace.folds.value };
  const outline = workspace.outline.value;
  const picture = await layout.picture({ opened: [...workspace.opened.value], ...options });
  if (workspace.outline.value?.path !== outline?.path) return;
  batch(() => {
    if (change.lines) workspace.lines.value = change.lines;
    workspace.picture.value = picture;
  });
}

interface Drawn {
  readonly opened: ReadonlySet<number>;
  readonly direction: 'down' | 'right';
  readonly folds: boolean;
  /** The lines of the nodes, which the layout knows already. */
  readonly lines: readonly string[];
}

/** Opens a closed module, or closes an open one along with the modules in it. */
export function toggleModule(index: number): Promise<void> {
  const opened = new Set(workspace.opened.value);
  if (!opened.delete(index)) opened.add(index);
  return redraw({ opened });
}
