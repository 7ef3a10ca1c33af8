import { batch, computed, effect, signal } from '@preact/signals';
import type { FoundFile } from '../../store/found-files.js';
import { task } from '../../store/notices.js';
import { files, model, outline, setHeat } from '../../store/workspace.js';
import { formatBytes } from '../../ui/quantities.js';
import type { Quantized, SampleFiles, Settings } from '../../workers/contracts/quantize.js';
import { ERRORS, type ErrorId, noiseByNode } from './layer-heat.js';
import { start } from './settings.js';
import type { Asked } from './start.js';

export const settings = signal<Settings>(start);
export const samples = signal<readonly FoundFile[]>([]);
export const normalize = signal<SampleFiles['normalize']>('unit');

/** The result of a document's quantisation. */
export interface Result {
  readonly document: number;
  readonly of: string;
  readonly quantized: Quantized;
  readonly asked: Asked;
}
export const result = signal<Result | null>(null);

/** The error that colours the graph; '' for none. */
export const heatBy = signal<ErrorId | ''>('alone');

export const change = (part: Partial<Settings>): void => {
  settings.value = { ...settings.value, ...part };
};

/** Models and the files beside them are opened as usual; all other files are samples. */
export function takeSamples(found: readonly FoundFile[]): boolean {
  if (found.some(({ path }) => /\.(onnx|ort)$/i.test(path))) return false;
  samples.value = found.filter(({ path }) => /\.(npy|pb|png|jpe?g|webp|gif|bmp|tiff?)$/i.test(path));
  return samples.value.length > 0;
}

export async function quantizeModel(): Promise<void> {
  const [from, document] = [files.value, model.value];
  if (!from || !document) return;
  const given = { files: samples.value, normalize: normalize.value };
  const asked: Asked = { files: from, samples: given, settings: settings.value };
  const quantized = await task(
    `Quantizing ${from.name}`,
    async ({ signal, progress }) => {
      const { quantize } = await import('./start.js');
      return quantize(asked, ({ done, total }) => progress(done / total), signal);
    },
    ({ before, after }) => `Quantized: ${formatBytes(before)} to ${formatBytes(after)}`,
  );
  if (!quantized) return;
  batch(() => {
    result.value = { document: document.id, of: from.name, quantized, asked };
    heatBy.value = ERRORS.find(([id]) => quantized.layers.some((layer) => layer[id] !== undefined))?.[0] ?? '';
  });
}

/** Measures the effect of each node on the model's outputs, and lists the worst first; nodes that are not quantized come last. */
export async function rankByOutput({ quantized, asked, ...others }: Result): Promise<void> {
  const nodes = quantized.layers.map(({ node, value }) => node || value);
  const errors = await task('Ranking layers', async ({ signal, progress }) => {
    const { outputErrors } = await import('./start.js');
    return outputErrors(asked, nodes, ({ done, total }) => progress(done / total), signal);
  });
  if (!errors || result.value?.quantized !== quantized) return;
  const layers = quantized.layers
    .map((layer, i) => ({ ...layer, output: errors[i] }))
    .sort((one, other) => (one.output ?? Number.POSITIVE_INFINITY) - (other.output ?? Number.POSITIVE_INFINITY) || 0);
  batch(() => {
    result.value = { ...others, asked, quantized: { ...quantized, layers } };
    heatBy.value = 'output';
  });
}

/** The errors of the model in view. */
const shown = computed(() => (result.value?.document === model.value?.id ? result.value?.quantized.layers : undefined));

effect(() => {
  const [layers, graph, by] = [shown.value, outline.value, heatBy.value];
  const found = ERRORS.find(([id]) => id === by);
  if (!layers || !graph || !found) return;
  const byNode = noiseByNode(layers, graph, found[0]);
  if (byNode.some((noise) => noise > 0)) setHeat({ title: `Noise ${found[1]}`, unit: '%', byNode });
});
