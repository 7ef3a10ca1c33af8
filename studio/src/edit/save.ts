import { download } from '../design/download.js';
import { documents } from '../documents/documents.js';
import { note, report, task } from '../workspace/notices.js';
import { model, panel } from '../workspace/workspace.js';
import { check, issues } from './edits.js';

interface Pickers {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
  showDirectoryPicker?(options: { mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}

const pickers = (): Pickers => window as Pickers;

/** What people chose; undefined where they chose nothing, or the browser has no such dialog. */
async function chosen<T>(picking: Promise<T> | undefined): Promise<T | 'cancelled' | undefined> {
  try {
    return await picking;
  } catch (error) {
    if ((error as Error).name !== 'AbortError') report('Cannot open the save dialog', error);
    return 'cancelled';
  }
}

/**
 * Saves the model in view, once people have chosen a place, where the browser asks for one, and the checker has looked at it; what it
 * finds is listed in the editor, and is no reason not to save.
 */
async function save<T>(picking: Promise<T> | undefined, write: (place: T | undefined) => Promise<void>): Promise<void> {
  const document = model.value;
  const place = await chosen(picking);
  if (!document || place === 'cancelled') return;
  await check();
  const isSaved = await task(`Saving ${document.name}`, async () => {
    await write(place);
    return true;
  });
  if (isSaved) tellErrors(document.name);
}

function tellErrors(name: string): void {
  const errors = issues.value?.filter(({ severity }) => severity === 'error') ?? [];
  const [first] = errors;
  if (!first) return;
  panel.value = 'edit';
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  note(`Saved ${name} with ${count}`, `${first.path}: ${first.message}. The Edit panel lists all checker findings.`);
}

/** Saves the model in view as one file with all its weights: where people choose, else among downloads. */
export async function saveAsFile(): Promise<void> {
  if (!model.value) return;
  const { id, name } = model.value;
  await save(pickers().showSaveFilePicker?.({ suggestedName: name }), async (place) => {
    const file = await documents.saved(id, name, 'file');
    if (place === undefined) return download(name, file);
    await file.stream().pipeTo(await place.createWritable());
  });
}

/** Saves it with its weights in a file beside it: into a folder, else as a .zip among downloads. */
export async function saveWithWeightsBeside(): Promise<void> {
  if (!model.value) return;
  const { id, name } = model.value;
  await save(pickers().showDirectoryPicker?.({ mode: 'readwrite' }), async (place) => {
    if (place === undefined) download(`${name}.zip`, await documents.saved(id, name, 'zip'));
    else await documents.saveInto(id, place, name);
  });
}
