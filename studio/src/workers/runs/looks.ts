import type { HostValue } from 'sardonyx';
import { toNumbers, topK } from 'sardonyx/tensors';
import type { LabelEntry, Look } from '../contracts/runs.js';
import { isTensor } from './describe.js';
import { detectionsOf } from './detections.js';
import { pictureOf } from './pictures.js';

type Values = Readonly<Record<string, HostValue>>;

/** Ways to show a model's outputs, based on their shapes. */
export function looksOf(feeds: Values, outputs: Values, labels?: readonly string[]): Look[] {
  const found = detectionsOf(outputs, labels);
  if (found) return [{ kind: 'boxes', picture: fedPicture(feeds), found }];
  return Object.entries(outputs).flatMap(([name, value]) => lookOf(name, value, labels) ?? []);
}

function lookOf(output: string, value: HostValue, labels: readonly string[] | undefined): Look | undefined {
  if (!isTensor(value)) return undefined;
  const picture = pictureOf(value);
  if (picture) return { kind: 'picture', output, ...picture };
  if (isSound(output, value)) return { kind: 'sound', output, samples: Float32Array.from(value.data as Float32Array) };
  const entries = topLabels(value, labels);
  return entries && { kind: 'labels', output, entries };
}

const SHOWN = 5;

/** The highest scores of a single row: [classes] or [1, classes], possibly with trailing ones. */
function topLabels(value: HostValue, labels: readonly string[] | undefined): LabelEntry[] | undefined {
  if (!isTensor(value) || !/^(float|bfloat)/.test(value.type)) return undefined;
  const sizes = value.dims.filter((size) => size !== 1);
  const [classes = 0] = sizes;
  const isRow = sizes.length === 1 && value.dims.length <= 4 && classes === (labels?.length ?? classes);
  if (!isRow || classes < 3 || classes > 100_000) return undefined;
  const [entries = []] = topK({ ...value, dims: [classes] } as never, SHOWN);
  const shares = softmaxOf(toNumbers(value));
  return entries.map(({ index, value: score }) => ({
    index,
    value: score,
    label: labels?.[index] ?? `${index}`,
    softmax: shares?.[index],
  }));
}

/** Undefined if all scores are between 0 and 1: they are already probabilities. */
function softmaxOf(scores: ArrayLike<number>): ArrayLike<number> | undefined {
  const all = Float64Array.from(scores);
  if (all.every((score) => score >= 0 && score <= 1)) return undefined;
  const most = all.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const powers = all.map((score) => Math.exp(score - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}

/** Whether an output is a row of at least a tenth of a second of samples, based on its length and name. */
function isSound(name: string, { type, dims, data }: Extract<HostValue, { readonly type: string }>): boolean {
  if (type !== 'float32' || dims.length > 3 || dims.slice(0, -1).some((size) => size !== 1)) return false;
  if (data.length < 1600) return false;
  return /audio|wave|sound|speech|pcm/i.test(name);
}

/** The image that the model was fed. */
function fedPicture(feeds: Values): ImageData | null {
  for (const value of Object.values(feeds)) {
    const picture = isTensor(value) && pictureOf(value);
    if (picture) return picture.picture;
  }
  return null;
}
