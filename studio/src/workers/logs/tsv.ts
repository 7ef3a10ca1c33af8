import type { At, Embedding } from '../contracts/log-entries.js';

/** The path PyTorch's writer uses for points, RUN/STEP/TAG/tensors.tsv; for other paths, the folder is the run. */
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

/** Parses files for TensorBoard's projector: a row of numbers per point. Labels have a heading only if they have several columns. */
export function embeddingIn(points: string, labels = ''): Embedding | undefined {
  const rows = rowsOf(points).map((row) => row.map(Number));
  const size = rows[0]?.length ?? 0;
  const isPoint = (row: readonly number[]) => row.length === size && row.every(Number.isFinite);
  if (size === 0 || !rows.every(isPoint)) return undefined;
  const texts = rowsOf(labels);
  const headings = (texts[0]?.length ?? 0) > 1 ? (texts.shift() ?? []) : [];
  return { kind: 'embedding', vectors: Float32Array.from(rows.flat()), count: rows.length, labels: texts, headings };
}
