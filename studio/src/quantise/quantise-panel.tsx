import { batch, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { download } from '../design/download.js';
import { formatBytes } from '../design/quantities.js';
import { type FoundFile, filesListed } from '../opening/gather.js';
import { takeFiles } from '../opening/open.js';
import { task } from '../workspace/notices.js';
import { openModel } from '../workspace/open-model.js';
import { files, model } from '../workspace/workspace.js';
import { LayerErrors } from './layer-errors.js';
import type { Quantised, SampleFiles, Settings } from './service.js';
import { start } from './settings.js';

const settings = signal<Settings>(start);
const samples = signal<readonly FoundFile[]>([]);
const normalize = signal<SampleFiles['normalize']>('unit');
const result = signal<{ readonly of: string; readonly quantised: Quantised } | null>(null);

const change = (part: Partial<Settings>): void => {
  settings.value = { ...settings.value, ...part };
};

/** Makes the weights, or all, of the model in view integers, and says what that saves and costs. */
export default function QuantisePanel() {
  useEffect(() => takeFiles(takeSamples), []);
  return (
    <div class="panel">
      <h2>Quantise</h2>
      <Choices />
      <SamplesOfUse />
      <div class="row">
        <button type="button" class="button primary" disabled={!model.value} onClick={() => void begin()}>
          Quantise
        </button>
      </div>
      {result.value && <Outcome {...result.value} />}
    </div>
  );
}

/** Models and what stands beside them are opened as always; all else is taken for samples. */
function takeSamples(found: readonly FoundFile[]): boolean {
  if (found.some(({ path }) => /\.(onnx|ort)$/i.test(path))) return false;
  samples.value = found.filter(({ path }) => /\.(npy|pb|png|jpe?g|webp|gif|bmp|tiff?)$/i.test(path));
  return samples.value.length > 0;
}

const METHODS = [
  ['static', 'Weights and activations (static)'],
  ['dynamic', 'Weights, activations as they come (dynamic)'],
  ['weights', 'Weights alone'],
] as const;

function Choices() {
  const { method, bits, block, rounding, calibration, perChannel, repair, exclude } = settings.value;
  return (
    <>
      <Select title="What" value={method} options={METHODS} onChange={(method) => change({ method })} />
      {method === 'weights' && (
        <div class="row">
          <Select
            title="Bits"
            value={`${bits}`}
            options={['2', '4', '8'].map((each) => [each, each] as const)}
            onChange={(text) => change({ bits: Number(text) as 4 })}
          />
          <Select
            title="Block"
            value={`${block}`}
            options={['16', '32', '64', '128'].map((each) => [each, each] as const)}
            onChange={(text) => change({ block: Number(text) })}
          />
          <Select
            title="Rounding"
            value={rounding}
            options={(['rtn', 'kquant', 'hqq', 'gptq', 'awq'] as const).map((each) => [each, each] as const)}
            onChange={(rounding) => change({ rounding })}
          />
        </div>
      )}
      {method === 'static' && (
        <>
          <Select
            title="Ranges by"
            value={calibration}
            options={(['minmax', 'average', 'entropy', 'percentile', 'mse'] as const).map(
              (each) => [each, each] as const,
            )}
            onChange={(calibration) => change({ calibration })}
          />
          <fieldset class="row choices">
            <legend class="quiet">Repairs</legend>
            {(['equalize', 'smooth', 'adaround', 'bias'] as const).map((each) => (
              <label key={each}>
                <input
                  type="checkbox"
                  checked={repair.includes(each)}
                  onChange={(event) =>
                    change({
                      repair: event.currentTarget.checked
                        ? [...repair, each]
                        : repair.filter((other) => other !== each),
                    })
                  }
                />{' '}
                {each}
              </label>
            ))}
          </fieldset>
        </>
      )}
      {method !== 'weights' && (
        <label>
          <input
            type="checkbox"
            checked={perChannel}
            onChange={(event) => change({ perChannel: event.currentTarget.checked })}
          />{' '}
          a scale for each channel
        </label>
      )}
      <label class="label">
        Leave as they are (names, * for anything)
        <input
          class="field"
          value={exclude.join(', ')}
          onChange={(event) =>
            change({
              exclude: event.currentTarget.value
                .split(',')
                .map((each) => each.trim())
                .filter(Boolean),
            })
          }
        />
      </label>
    </>
  );
}

interface SelectProps<T extends string> {
  readonly title: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, text: string])[];
  readonly onChange: (value: T) => void;
}

const Select = <T extends string>({ title, value, options, onChange }: SelectProps<T>) => (
  <label class="label">
    {title}
    <select class="select" value={value} onChange={(event) => onChange(event.currentTarget.value as T)}>
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

const NORMALIZATIONS = [
  ['unit', '0 … 1'],
  ['signed', '−1 … 1'],
  ['imagenet', 'ImageNet'],
  ['clip', 'CLIP'],
  ['bytes', '0 … 255'],
] as const;

const SamplesOfUse = () => (
  <section class="stack">
    <h3>Samples</h3>
    <p class="quiet">
      {samples.value.length > 0
        ? `${samples.value.length} files, the first ${samples.value[0]?.path}`
        : 'None: random values, which show the size and not the accuracy. Drop pictures, .npy arrays or data sets here.'}
    </p>
    <div class="row">
      <label class="button">
        Choose files
        <input
          class="sr-only"
          type="file"
          multiple
          onChange={(event) => takeSamples(filesListed(event.currentTarget.files ?? []))}
        />
      </label>
      <Select
        title="Pixels as"
        value={normalize.value}
        options={NORMALIZATIONS}
        onChange={(value) => {
          normalize.value = value;
        }}
      />
    </div>
  </section>
);

async function begin(): Promise<void> {
  const from = files.value;
  if (!from) return;
  const given = { files: samples.value, normalize: normalize.value, sizes: {} };
  const quantised = await task(`Quantising ${from.name}`, async ({ signal, progress }) => {
    const { quantise } = await import('./start.js');
    return quantise(from, given, settings.value, ({ done, total }) => progress(done / total), signal);
  });
  if (quantised)
    batch(() => {
      result.value = { of: from.name, quantised };
    });
}

function Outcome({ of, quantised }: { of: string; quantised: Quantised }) {
  const { before, after, outputs, samples } = quantised;
  const name = of.replace(/(\.onnx)?$/i, '-quantised.onnx');
  return (
    <section class="stack" aria-label="Outcome">
      <h3>
        {formatBytes(before)} → {formatBytes(after)}, {(before / after).toFixed(2)} times smaller
      </h3>
      <table class="table">
        <thead>
          <tr>
            <th>Output</th>
            <th class="number">Signal to noise</th>
            <th class="number">Same largest</th>
          </tr>
        </thead>
        <tbody>
          {outputs.map(({ name, sqnr, sameTop }) => (
            <tr key={name}>
              <td>{name}</td>
              <td class="number">{sqnr.toFixed(1)} dB</td>
              <td class="number">{sameTop === undefined ? '' : `${(sameTop * 100).toFixed(1)} %`}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">On {samples} samples.</p>
      <div class="row">
        <button type="button" class="button primary" onClick={() => download(name, quantised.model)}>
          Download
        </button>
        <button
          type="button"
          class="button"
          onClick={() => void openModel({ name, model: quantised.model, beside: [] })}
        >
          Open it
        </button>
      </div>
      <LayerErrors layers={quantised.layers} />
    </section>
  );
}
