import type { ModelFiles } from '../workers/contracts/documents.js';

/** A file and its path below the dropped or picked folder. */
export interface FoundFile {
  readonly path: string;
  readonly data: File;
}

/** All dropped files, including those in folders. Entries must be read while the event is being handled. */
export async function filesDropped(transfer: DataTransfer): Promise<FoundFile[]> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.length === 0) return filesListed(transfer.files);
  return (await Promise.all(entries.map((entry) => below(entry, '')))).flat();
}

export const filesListed = (files: Iterable<File>): FoundFile[] =>
  [...files].map((data) => ({ path: data.webkitRelativePath || data.name, data }));

async function below(entry: FileSystemEntry, folder: string): Promise<FoundFile[]> {
  const path = folder ? `${folder}/${entry.name}` : entry.name;
  if (entry.isFile) {
    const data = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path, data }];
  }
  const found = await entriesOf(entry as FileSystemDirectoryEntry);
  return (await Promise.all(found.map((each) => below(each, path)))).flat();
}

/** A reader returns a hundred entries at a time, and an empty list at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const more = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (more.length === 0) return found;
    found.push(...more);
  }
}

/** Patterns for names of models; each is used only if no file matches an earlier one. */
const MODELS = [/\.onnx$/i, /\.(ort|onnxtxt|pb|tflite)$/i, /\.safetensors\.index\.json$/i, /\.(safetensors|gguf)$/i];

/** The models among files, each with the files beside and below it, by the paths that it may refer to them by. */
export function modelsAmong(files: readonly FoundFile[]): ModelFiles[] {
  const models =
    MODELS.map((name) => files.filter(({ path }) => name.test(path))).find(({ length }) => length > 0) ?? [];
  const chosen = models.length > 0 || files.length !== 1 ? models : files;
  return chosen.map(({ path, data }) => ({ name: nameOf(path), path, model: data, beside: besides(path, files) }));
}

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);

function besides(model: string, files: readonly FoundFile[]): ModelFiles['beside'] {
  const folder = model.slice(0, model.lastIndexOf('/') + 1);
  return files
    .filter(({ path }) => path !== model && path.startsWith(folder))
    .map(({ path, data }) => ({ path: path.slice(folder.length), data }));
}
