import { areTaken } from '../../store/file-takers.js';
import { type FoundFile, modelsAmong } from '../../store/found-files.js';
import { note, report, task } from '../../store/notices.js';
import { openModel } from '../../store/open-model.js';
import { model, openPanel } from '../../store/workspace.js';
import { filesBehind, keepRecent } from './recent.js';

const NAMES = '.onnx, .ort, .tflite, .safetensors, and .gguf files';

/** Opens dropped or picked files. */
export async function openFiles(files: readonly FoundFile[]): Promise<void> {
  performance.mark('files given');
  if (await areTaken(files)) return;
  const [first, ...others] = modelsAmong(files);
  if (!first) return note('No model found in these files', `The studio opens ${NAMES}.`);
  if (!(await openModel(first))) return;
  if (others.length > 0) note(`Opened ${first.name}. Other models in the drop: ${others.length}.`);
  tellMissing();
  // Weights without a graph.
  if (model.value?.outline.nodes.count === 0 && model.value.isViewOnly) openPanel('weights');
}

function tellMissing(): void {
  const missing = model.value?.missing ?? [];
  if (missing.length === 0) return;
  const names =
    missing.length > 3 ? `${missing.slice(0, 3).join(', ')} and ${missing.length - 3} more` : missing.join(', ');
  note(
    `Missing weight files: ${names}`,
    'The graph is shown without these weights. To load them, drop the folder that contains the model and its weights.',
  );
}

/** Opens a model at an address of the same origin: the page's policy allows no other. */
export async function openAddress(address: string): Promise<void> {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin) {
    const detail = 'The content security policy of this page blocks other hosts. Download the file and drop it here.';
    return report(`Cannot load from ${url.host}`, new Error(detail));
  }
  const data = await task(`Loading ${url.pathname}`, ({ signal }) => download(url, signal));
  if (!data) return;
  const files = { name: data.name, path: url.pathname, model: data, beside: [] };
  if (!(await openModel(files, address))) return;
  const { missing } = model.value as NonNullable<typeof model.value>;
  if (missing.length === 0) return;
  const beside = await task('Loading weights', async ({ signal, progress }) => {
    const found: { path: string; data: File }[] = [];
    for (const path of missing) {
      found.push({ path, data: await download(new URL(path, url), signal) });
      progress(found.length / missing.length);
    }
    return found;
  });
  if (beside) await openModel({ ...files, beside }, address);
}

async function download(url: URL, signal: AbortSignal): Promise<File> {
  const response = await fetch(url, { signal });
  if (!response.ok)
    throw new Error(`${url.pathname}: the server returned ${response.status} ${response.statusText}`.trim());
  const name = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
  return new File([await response.blob()], name || 'model.onnx');
}

/** Opens the files behind handles, and stores the handles for reopening. */
export async function openHandles(handles: readonly FileSystemHandle[]): Promise<void> {
  try {
    const found = await filesBehind(handles);
    await openFiles(found);
    await keepRecent(handles, found);
  } catch (error) {
    report('Cannot open these files', error);
  }
}

interface Pickers {
  showOpenFilePicker?(options: { multiple: true }): Promise<FileSystemHandle[]>;
  showDirectoryPicker?(): Promise<FileSystemHandle>;
}

/** Opens a dialog for files or a folder, with handles if the browser supports them. */
export function pick(kind: 'files' | 'folder'): void {
  const pickers = window as Pickers;
  const picked =
    kind === 'files'
      ? pickers.showOpenFilePicker?.({ multiple: true })
      : pickers.showDirectoryPicker?.().then((folder) => [folder]);
  if (!picked) pickPlainly(kind);
  picked?.then(openHandles, (error: Error) => {
    if (error.name !== 'AbortError') report('Cannot open the file dialog', error);
  });
}

function pickPlainly(kind: 'files' | 'folder'): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.webkitdirectory = kind === 'folder';
  input.onchange = () =>
    void openFiles([...(input.files ?? [])].map((data) => ({ path: data.webkitRelativePath || data.name, data })));
  input.click();
}
