import { computed, signal } from '@preact/signals';
import type { Change, History, PlacedIssue } from '../workers/contracts/changes.js';
import type { Edited } from '../workers/contracts/documents.js';
import { report, task } from './notices.js';
import { showChanged } from './open-model.js';
import { noteStep } from './unsaved.js';
import { documents } from './workers/documents.js';
import { forgetFinder } from './workers/find.js';
import { model } from './workspace.js';

/** The editing state of the document in view. */
interface Edits {
  readonly id: number;
  readonly history: History;
  /** Undefined until the checker has run. */
  readonly issues?: readonly PlacedIssue[] | undefined;
}

const edits = signal<Edits | null>(null);
const current = computed(() => (edits.value && edits.value.id === model.value?.id ? edits.value : null));

export const history = computed<History>(() => current.value?.history ?? { canUndo: false, canRedo: false });
export const issues = computed(() => current.value?.issues);

/** The last edit: edits run one after another. */
let last: Promise<unknown> = Promise.resolve();

function inTurn(
  title: string,
  step: Parameters<typeof noteStep>[1],
  work: (id: number) => Promise<Edited>,
): Promise<void> {
  const next = last.then(async () => {
    const id = model.value?.id;
    if (id === undefined) return;
    const edited = await task(title, () => work(id));
    if (!edited) return;
    noteStep(id, step);
    await shown(edited);
  });
  last = next.catch((error) => report('Cannot show the change', error));
  return next;
}

async function shown({ document, history }: Edited): Promise<void> {
  forgetFinder(document.id);
  edits.value = { id: document.id, history };
  await showChanged(document);
  await check();
}

/** Runs the checker on the document in view. */
export async function check(): Promise<void> {
  const document = model.value;
  if (!document) return;
  const found = await task('Checking', () => documents.issues(document.id));
  if (model.value === document && found) edits.value = { id: document.id, history: history.value, issues: found };
}

/** Changes the model in view; rejected changes are reported. */
export const change = (wanted: Change): Promise<void> =>
  inTurn('Applying the change', 'change', (id) => documents.edit(id, wanted));
export const undo = (): Promise<void> => inTurn('Undoing', 'undo', (id) => documents.undo(id));
export const redo = (): Promise<void> => inTurn('Redoing', 'redo', (id) => documents.redo(id));
