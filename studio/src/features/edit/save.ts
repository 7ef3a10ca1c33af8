import { check, issues } from '../../store/edits.js';
import { note, report, task } from '../../store/notices.js';
import { savingNow } from '../../store/unsaved.js';
import { documents } from '../../store/workers/documents.js';
import { model, openPanel } from '../../store/workspace.js';
import { download } from '../../ui/download.js';
import { counted } from '../../ui/quantities.js';

interface Pickers {
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileSystemFileHandle>;
  showDirectoryPicker?(options: { mode: 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}

const pickers = (): Pickers => window as Pickers;

/** The chosen place; undefined if the browser has no such dialog. */
async function chosen<T>(picking: Promise<T> | undefined): Promise<T | 'cancelled' | undefined> {
  try {
    return await picking;
  } catch (error) {
    if ((error as Error).name !== 'AbortError') report('Cannot open the save dialog', error);
    return 'cancelled';
  }
}

/**
 * Saves the model in view after people have chosen a place, where the browser asks for one, and the checker has run. Its findings are
 * listed in the editor and don't prevent saving. `write` returns where the model was saved; the result is whether it was saved.
 */
async function save<T>(
  picking: Promise<T> | undefined,
  write: (place: T | undefined) => Promise<string>,
): Promise<boolean> {
  const document = model.value;
  const place = await chosen(picking);
  if (!document || place === 'cancelled') return false;
  await check();
  const isSaved = savingNow(document.id);
  const where = await task(
    `Saving ${document.name}`,
    () => write(place),
    (name) => `Saved as ${name}`,
  );
  if (where === undefined) return false;
  isSaved();
  tellSaved(where);
  return true;
}

function tellSaved(where: string): void {
  const errors = issues.value?.filter(({ severity }) => severity === 'error') ?? [];
  const [first] = errors;
  if (!first) {
    note(`Saved as ${where}`);
    return;
  }
  openPanel('edit');
  note(
    `Saved as ${where} with ${counted(errors.length, 'error')}`,
    `${first.path}: ${first.message}. The Edit panel lists all checker findings.`,
  );
}

/** Models of other formats are saved as ONNX. */
const onnxName = (name: string): string => name.replace(/\.(ort|json|txt|ubj)$/i, '.onnx');

/** Saves the model in view as one file with all its weights: to the chosen place, or else as a download. */
export async function saveAsFile(): Promise<boolean> {
  if (!model.value) return false;
  if (model.value.isViewOnly) {
    note('This file is not an ONNX model', 'You can look at it here, and save single tensors as .npy.');
    return false;
  }
  const { id } = model.value;
  const name = onnxName(model.value.name);
  return save(pickers().showSaveFilePicker?.({ suggestedName: name }), async (place) => {
    const file = await documents.saved(id, name, 'file');
    if (place === undefined) {
      download(name, file);
      return `${name} in your downloads`;
    }
    await file.stream().pipeTo(await place.createWritable());
    return place.name;
  });
}

/** Saves the model with its weights in a separate file: into a folder, or else as a .zip download. */
export async function saveWithWeightsBeside(): Promise<boolean> {
  if (!model.value) return false;
  const { id } = model.value;
  const name = onnxName(model.value.name);
  return save(pickers().showDirectoryPicker?.({ mode: 'readwrite' }), async (place) => {
    if (place === undefined) {
      download(`${name}.zip`, await documents.saved(id, name, 'zip'));
      return `${name}.zip in your downloads`;
    }
    await documents.saveInto(id, place, name);
    return `${place.name}/${name}`;
  });
}
