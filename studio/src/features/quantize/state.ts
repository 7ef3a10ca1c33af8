import { batch, computed, effect, signal } from '@preact/signals';
import type { FoundFile } from '../../store/found-files.js';
import { task } from '../../store/notices.js';
import { files, model, outline, setHeat } from '../../store/workspace.js';
import { formatBytes } from '../../ui/quantities.js';
import type { Quantized, SampleFiles, Settings } from '../../workers/contracts/quantize.js';
import { ERRORS, type ErrorId, noiseByNode } from './layer-heat.js';
import { start } from './settings.js';

export const settings = signal<Settings>(start);
export const samples = signal<readonly FoundFile[]>([]);
export const normalize = signal<SampleFiles['normalize']>('unit');

/** What came of a document's quantisation. */
export interface Result {
  readonly document: number;
  readonly of: string;
  readonly quantized: Quantized;
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

export async function quantizeModel(): Promise<void> {
  const [from, document] = [files.value, model.value];
  if (!from || !document) return;
  const given = { files: samples.value, normalize: normalize.value };
  const quantized = await task(
    `Quantizing ${from.name}`,
    async ({ signal, progress }) => {
      const { quantize } = await import('./start.js');
      return quantize(from, given, settings.value, ({ done, total }) => progress(done / total), signal);
    },
    ({ before, after }) => `Quantized: ${formatBytes(before)} to ${formatBytes(after)}`,
  );
  if (!quantized) return;
  batch(() => {
    result.value = { document: document.id, of: from.name, quantized };
    heatBy.value = ERRORS.find(([id]) => quantized.layers.some((layer) => layer[id] !== undefined))?.[0] ?? '';
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
