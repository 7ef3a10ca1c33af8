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

/** Asks whether a model may take the place of the one in view. */
let mayOpen: (name: string) => Promise<boolean> = async () => true;

export function guardModel(ask: typeof mayOpen): void {
  mayOpen = ask;
}

/** The model that was asked for last. */
let wanted: ModelFiles | null = null;

/**
 * Opens a model in place of the one in view, and draws it; what cannot be read is reported, and the one in view stays. Of models that are
 * opened at the same time the last is shown.
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
    // They speak of the model before.
    workspace.notices.value = [];
  });
  await show(document.outline);
  // Panels may have asked about it until now.
  if (before) void documents.close(before.id);
  return true;
}

async function openUnless(files: ModelFiles, isLeft: () => boolean): Promise<OpenedDocument | undefined> {
  const document = await documents.open(files);
  if (!isLeft()) return document;
  void documents.close(document.id);
  return undefined;
}

/** Enters a graph of the model in view by its path: '' is the model's own. */
export async function enterGraph(path: string): Promise<void> {
  const document = workspace.model.value;
  if (!document || workspace.outline.value?.path === path) return;
  const outline =
    path === '' ? document.outline : await task('Opening the graph', () => documents.outline(document.id, path));
  if (outline) await show(outline);
}

/**
 * Shows what a document has become, all at once: the graph in view, what is open and selected in it, as far as they are still
 * there.
 */
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

/** Draws a graph; `swap` says what is selected in it as it takes the place of the one before. */
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

/** Pixels that the graph has; as many as a page of usual size gives it where nothing is laid out yet. */
function roomOfGraph() {
  const { clientWidth = 0, clientHeight = 0 } = document.querySelector('.stage') ?? {};
  return { width: clientWidth || 1000, height: clientHeight || 800 };
}

/** Draws nodes with names, attributes or shapes of weights, or without. */
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

/** Types come after the drawing: inference of a large model takes longer than its layout. */
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

/** Sizes that inputs were fed with. */
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

/** Draws the graph in view again, as with other modules open or in another direction. */
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
  /** Of the nodes, as the layout knows them already. */
  readonly lines: readonly string[];
}

/** Opens a closed module, and closes an open one, with those in it. */
export function toggleModule(index: number): Promise<void> {
  const opened = new Set(workspace.opened.value);
  if (!opened.delete(index)) opened.add(index);
  return redraw({ opened });
}
