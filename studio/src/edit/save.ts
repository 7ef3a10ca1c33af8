import { download } from '../design/download.js';
import { documents } from '../documents/documents.js';
import { report, task } from '../workspace/notices.js';
import { model } from '../workspace/workspace.js';

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
    if ((error as Error).name !== 'AbortError') report('No place was chosen', error);
    return 'cancelled';
  }
}

/** Saves the model in view as one file with all its weights: where people choose, else among downloads. */
export async function saveAsFile(): Promise<void> {
  const document = model.value;
  if (!document) return;
  const { id, name } = document;
  const place = await chosen(pickers().showSaveFilePicker?.({ suggestedName: name }));
  if (place === 'cancelled') return;
  await task(`Saving ${name}`, async () => {
    const file = await documents.saved(id, name, 'file');
    if (place === undefined) return download(name, file);
    await file.stream().pipeTo(await place.createWritable());
  });
}

/** Saves it with its weights in a file beside it: into a folder, else as a .zip among downloads. */
export async function saveWithWeightsBeside(): Promise<void> {
  const document = model.value;
  if (!document) return;
  const { id, name } = document;
  const place = await chosen(pickers().showDirectoryPicker?.({ mode: 'readwrite' }));
  if (place === 'cancelled') return;
  await task(`Saving ${name}`, async () => {
    if (place === undefined) download(`${name}.zip`, await documents.saved(id, name, 'zip'));
    else await documents.saveInto(id, place, name);
  });
}
