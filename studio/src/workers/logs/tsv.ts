import type { At, Embedding } from '../contracts/log-entries.js';

/** Where PyTorch's writer puts points, RUN/STEP/TAG/tensors.tsv; elsewhere the folder is the run. */
const PLACE = /^(?:(?<run>.*)\/)?(?<step>\d+)\/(?<tag>[^/]+)\/tensors\.tsv$/;

export const labelsBeside = (path: string): string => path.replace(/tensors\.tsv$/, 'metadata.tsv');

export interface PointsPlace extends Pick<At, 'tag' | 'step'> {
  readonly run: string;
}

export function placeOf(path: string): PointsPlace {
  const { run, step, tag } = PLACE.exec(path)?.groups ?? {};
  if (step === undefined || tag === undefined)
    return { run: path.replace(/\/?[^/]*$/, '') || path, tag: 'points', step: 0 };
  return { run: run || path, tag, step: Number(step) };
}

const rowsOf = (text: string): string[][] =>
  text
    .split(/\r?\n/)
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));

/** TensorBoard's projector: a row of numbers for each point; labels of one column have no heading, those of several have. */
export function embeddingIn(points: string, labels = ''): Embedding | undefined {
  const rows = rowsOf(points).map((row) => row.map(Number));
  const size = rows[0]?.length ?? 0;
  const isPoint = (row: readonly number[]) => row.length === size && row.every(Number.isFinite);
  if (size === 0 || !rows.every(isPoint)) return undefined;
  const texts = rowsOf(labels);
  const headings = (texts[0]?.length ?? 0) > 1 ? (texts.shift() ?? []) : [];
  return { kind: 'embedding', vectors: Float32Array.from(rows.flat()), count: rows.length, labels: texts, headings };
}
