import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { jsonText } from '../../../../src/cli/json.js';
import { isWithin } from '../../../../src/tools/verify/within.js';
import { takeFiles } from '../../store/file-takers.js';
import { type FoundFile, filesListed } from '../../store/found-files.js';
import { task } from '../../store/notices.js';
import { download } from '../../ui/download.js';
import { FileButton } from '../../ui/file-button.js';
import { Pick } from '../../ui/pick.js';
import { counted } from '../../ui/quantities.js';
import type { Chosen, Options, Progress, VerifiedOutput } from '../../workers/contracts/verify.js';
import { Findings } from './findings.js';
import { toNumber } from './to-number.js';

const chosen = signal<Chosen | null>(null);
const tolerance = signal('1e-4');
const boxes = signal('');
const variant = signal<Options['variant']>('simd');
const found = signal<readonly VerifiedOutput[] | null>(null);
/** The progress of the last call of `begin`. */
const state = signal<'running' | 'whole' | 'cancelled'>('cancelled');
let last = new AbortController();

const bounds = computed(() => ({ tolerance: toNumber(tolerance.value) ?? 1e-4, boxes: toNumber(boxes.value) }));
/** Judged again when the bounds change, without measuring again. */
const judged = computed(() => found.value?.map((each) => ({ ...each, passed: isWithin(each, bounds.value) })) ?? []);

/** Runs the test data that come with models, and shows how far the outputs are from the expected ones. */
export default function VerifyPanel() {
  useEffect(() => takeFiles(take), []);
  return (
    <div class="panel">
      <h2>Verify</h2>
      <p class="quiet">
        Drop a folder or a zip file with a model and its test data here: test_data_set_0 with input_0.pb … and
        output_0.pb …, as the ONNX Model Zoo has them, or several such folders.
      </p>
      <div class="row">
        <button type="button" class="button primary" onClick={() => void chooseFolder()}>
          Choose folder
        </button>
        <FileButton title="Choose zip file" accept=".zip" onFiles={(files) => take(filesListed(files))} />
      </div>
      <div class="row">
        <Bound title="Max relative L2 error" value={tolerance} />
        <Bound title="Max absolute error of boxes" value={boxes} placeholder="same as the rest" />
        <Pick title="Kernels" options={KERNELS} of={variant} />
      </div>
      {found.value && <Outcome />}
    </div>
  );
}

const KERNELS = [
  ['simd', 'Reproducible (SIMD)'],
  ['auto', 'Fastest in this browser'],
] as const;

const Bound = ({ title, value, placeholder }: { title: string; value: typeof tolerance; placeholder?: string }) => (
  <label class="label">
    {title}
    <input
      class="field"
      inputMode="decimal"
      size={10}
      placeholder={placeholder}
      value={value.value}
      aria-invalid={value.value !== '' && toNumber(value.value) === undefined}
      onInput={(event) => {
        value.value = event.currentTarget.value;
      }}
    />
  </label>
);

const STATES: Readonly<Record<string, string>> = { running: 'Verifying…', cancelled: 'Cancelled' };

function Outcome() {
  const outputs = judged.value;
  const failed = outputs.filter(({ passed }) => !passed).length;
  const verdict = failed === 0 ? 'all within tolerance' : `${failed} out of tolerance`;
  const models = new Set(outputs.map(({ model }) => model)).size;
  return (
    <section class="stack" aria-label="Results">
      <p role="status">
        <strong>{STATES[state.value] ?? verdict}</strong>{' '}
        <span class="quiet">
          {counted(models, 'model')}, {counted(outputs.length, 'output')}
        </span>
      </p>
      <div class="row">
        <button
          type="button"
          class="button"
          disabled={!chosen.value || state.value === 'running'}
          onClick={() => void begin()}
        >
          Run again
        </button>
        <button
          type="button"
          class="button"
          disabled={state.value !== 'whole'}
          onClick={() => download('verify.json', new Blob([reportOf(outputs)]))}
        >
          Save JSON
        </button>
      </div>
      <Findings outputs={outputs} />
    </section>
  );
}

/** The output of `sardonyx verify --json`. */
function reportOf(outputs: readonly VerifiedOutput[]): string {
  const failed = outputs.filter(({ passed }) => !passed).length;
  return `${[...jsonText({ tolerance: bounds.value.tolerance, failed, outputs })].join('')}\n`;
}

/** Models without test data are opened as usual. */
function take(files: readonly FoundFile[]): boolean {
  if (!files.some(({ path }) => /\.(pb|zip)$/i.test(path))) return false;
  chosen.value = { kind: 'files', files };
  void begin();
  return true;
}

type Picker = { showDirectoryPicker?: () => Promise<FileSystemDirectoryHandle> };

/** Picks a folder to be read in place, if the browser supports it; else a list of all its files. */
async function chooseFolder(): Promise<void> {
  const { showDirectoryPicker } = window as Picker;
  if (!showDirectoryPicker) return chooseFiles();
  const handle = await showDirectoryPicker().catch(() => undefined);
  if (!handle) return;
  chosen.value = { kind: 'folder', handle };
  await begin();
}

function chooseFiles(): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.webkitdirectory = true;
  input.onchange = () => void take(filesListed(input.files ?? []));
  input.click();
}

/** Verifies the last choice, replacing any run in progress. */
async function begin(): Promise<void> {
  const from = chosen.value;
  if (!from) return;
  last.abort();
  const own = new AbortController();
  last = own;
  found.value = [];
  state.value = 'running';
  const done = await task('Verifying', async ({ signal, progress }) => {
    const { verify } = await import('./start.js');
    const tell = ({ done, total, outputs }: Progress) => {
      if (signal.aborted || own.signal.aborted) return;
      progress(done / total);
      if (outputs.length > 0) found.value = [...(found.value ?? []), ...outputs];
    };
    const options = { ...bounds.value, variant: variant.value };
    return verify(from, options, tell, AbortSignal.any([signal, own.signal])).catch((error) => {
      if (!own.signal.aborted) throw error;
    });
  });
  if (own.signal.aborted) return;
  if (done) found.value = done.outputs;
  else if (found.value?.length === 0) found.value = null;
  state.value = done ? 'whole' : 'cancelled';
}
