import { batch, computed, effect, signal } from '@preact/signals';
import { formatBytes } from '../design/quantities.js';
import type { FoundFile } from '../opening/gather.js';
import { task } from '../workspace/notices.js';
import { files, heat, model, outline } from '../workspace/workspace.js';
import { ERRORS, type ErrorId, noiseByNode } from './layer-heat.js';
import type { Quantised, SampleFiles, Settings } from './service.js';
import { start } from './settings.js';

export const settings = signal<Settings>(start);
export const samples = signal<readonly FoundFile[]>([]);
export const normalize = signal<SampleFiles['normalize']>('unit');

/** What came of a document's quantisation. */
export interface Result {
  readonly document: number;
  readonly of: string;
  readonly quantised: Quantised;
}
export const result = signal<Result | null>(null);

/** What colours the graph; '' leaves it as it is. */
export const heatBy = signal<ErrorId | ''>('alone');

export const change = (part: Partial<Settings>): void => {
  settings.value = { ...settings.value, ...part };
};

/** Models and what stands beside them are opened as always; all else is taken for samples. */
export function takeSamples(found: readonly FoundFile[]): boolean {
  if (found.some(({ path }) => /\.(onnx|ort)$/i.test(path))) return false;
  samples.value = found.filter(({ path }) => /\.(npy|pb|png|jpe?g|webp|gif|bmp|tiff?)$/i.test(path));
  return samples.value.length > 0;
}

export async function quantiseModel(): Promise<void> {
  const [from, document] = [files.value, model.value];
  if (!from || !document) return;
  const given = { files: samples.value, normalize: normalize.value };
  const quantised = await task(
    `Quantizing ${from.name}`,
    async ({ signal, progress }) => {
      const { quantise } = await import('./start.js');
      return quantise(from, given, settings.value, ({ done, total }) => progress(done / total), signal);
    },
    ({ before, after }) => `Quantized: ${formatBytes(before)} to ${formatBytes(after)}`,
  );
  if (!quantised) return;
  batch(() => {
    result.value = { document: document.id, of: from.name, quantised };
    heatBy.value = ERRORS.find(([id]) => quantised.layers.some((layer) => layer[id] !== undefined))?.[0] ?? '';
  });
}

/** The errors of the model in view. */
const shown = computed(() => (result.value?.document === model.value?.id ? result.value?.quantised.layers : undefined));

effect(() => {
  const [layers, graph, by] = [shown.value, outline.value, heatBy.value];
  const found = ERRORS.find(([id]) => id === by);
  if (!layers || !graph || !found) return;
  const byNode = noiseByNode(layers, graph, found[0]);
  if (byNode.some((noise) => noise > 0)) heat.value = { title: `Noise ${found[1]}`, unit: '%', byNode };
});
