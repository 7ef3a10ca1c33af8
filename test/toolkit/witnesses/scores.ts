import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { type Numbers, pictures, rows, type Witness } from './witness.js';

export type Run = (feeds: { readonly x: TensorValue }) => Promise<Readonly<Record<string, TensorValue>>>;

/** How well a model does, by what is kept beside a witness. */
export type Score = (witness: Witness, run: Run) => Promise<number>;

type Rows = { readonly width: number; readonly rows: readonly Float32Array[] };

function rowsOf({ data, dims }: TensorValue): Rows {
  const width = dims.at(-1) as number;
  const all = data as Float32Array;
  return {
    width,
    rows: Array.from({ length: all.length / width }, (_, i) => all.subarray(i * width, (i + 1) * width)),
  };
}

/** The share of rows whose greatest number is at the label. */
async function accuracy(batches: Iterable<TensorValue>, labels: Numbers, run: Run): Promise<number> {
  let [right, seen] = [0, 0];
  for (const x of batches)
    for (const row of rowsOf((await run({ x })).logits as TensorValue).rows)
      if (row.indexOf(Math.max(...row)) === labels[seen++]) right++;
  return right / seen;
}

/** What each letter surprises by, in nats, on average; the last letter of a passage is only asked for. */
async function nats(passages: Numbers, run: Run): Promise<number> {
  const width = 97;
  const given = passages.filter((_, i) => i % width < width - 1);
  const wanted = passages.filter((_, i) => i % width > 0);
  let [sum, seen] = [0, 0];
  for (const x of rows(given, width - 1, 32))
    for (const row of rowsOf((await run({ x })).logits as TensorValue).rows) {
      const greatest = Math.max(...row);
      const total = row.reduce((all, logit) => all + Math.exp(logit - greatest), 0);
      sum += greatest + Math.log(total) - (row[wanted[seen++] as number] as number);
    }
  return sum / seen;
}

type Box = readonly [left: number, top: number, right: number, bottom: number];

interface Found {
  readonly picture: number;
  readonly kind: number;
  readonly score: number;
  readonly box: Box;
}

const boxOf = ([x = 0, y = 0, w = 0, h = 0]: ArrayLike<number> & Iterable<number>): Box => [
  x - w / 2,
  y - h / 2,
  x + w / 2,
  y + h / 2,
];

const areaOf = ([left, top, right, bottom]: Box): number => Math.max(right - left, 0) * Math.max(bottom - top, 0);

/** Shared area by joint area. */
function overlap(a: Box, b: Box): number {
  const shared = areaOf([Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]);
  return shared / (areaOf(a) + areaOf(b) - shared + 1e-9);
}

/** The best first, without those that overlap a better one of their class. */
function foundIn(rows: readonly Float32Array[], picture: number): Found[] {
  const all = rows.map((row) => {
    const scores = row.subarray(4);
    const score = Math.max(...scores);
    return { picture, kind: scores.indexOf(score), score, box: boxOf(row.subarray(0, 4)) };
  });
  const kept: Found[] = [];
  for (const found of all.filter(({ score }) => score >= 0.05).sort((a, b) => b.score - a.score))
    if (kept.every(({ kind, box }) => kind !== found.kind || overlap(box, found.box) <= 0.5)) kept.push(found);
  return kept;
}

/** The area below precision by recall of one class: what is found counts once, where it overlaps by half. */
function precision(found: readonly Found[], wanted: readonly Found[]): number {
  const open = new Set(wanted);
  let [hits, area] = [0, 0];
  for (const [rank, { picture, box }] of [...found].sort((a, b) => b.score - a.score).entries()) {
    const best = [...open]
      .filter((w) => w.picture === picture)
      .map((w) => ({ w, by: overlap(w.box, box) }))
      .sort((a, b) => b.by - a.by)[0];
    if (!best || best.by < 0.5) continue;
    open.delete(best.w);
    area += ++hits / (rank + 1);
  }
  return area / wanted.length;
}

async function meanPrecision({ judged, judgedBoxes, judgedClasses }: Witness['arrays'], run: Run): Promise<number> {
  const found: Found[] = [];
  let seen = 0;
  for (const x of pictures(judged as Numbers, 48, 32)) {
    const { rows } = rowsOf((await run({ x })).found as TensorValue);
    const each = rows.length / (x.dims[0] as number);
    for (let i = 0; i < rows.length; i += each) found.push(...foundIn(rows.slice(i, i + each), seen++));
  }
  const boxes = judgedBoxes as Numbers;
  const wanted = Array.from(judgedClasses as Numbers, (kind, i) => {
    return { picture: Math.floor(i / 4), kind, score: 1, box: boxOf(boxes.subarray(i * 4, i * 4 + 4)) };
  });
  const of = (list: readonly Found[], kind: number) => list.filter((found) => found.kind === kind);
  const kinds = [...Array(10).keys()];
  return kinds.reduce((sum, kind) => sum + precision(of(found, kind), of(wanted, kind)), 0) / kinds.length;
}

/** Greater is better, but for `letters`, whose nats are fewer. */
export const SCORES = {
  glyphs: ({ arrays: { judged, judgedLabels } }, run) =>
    accuracy(pictures(judged as Numbers, 24, 100), judgedLabels as Numbers, run),
  passages: ({ arrays: { judged, judgedLabels } }, run) =>
    accuracy(rows(judged as Numbers, 64, 100), judgedLabels as Numbers, run),
  finder: ({ arrays }, run) => meanPrecision(arrays, run),
  letters: ({ arrays: { judged } }, run) => nats(judged as Numbers, run),
} satisfies Record<string, Score>;

/** What to calibrate by. */
export const SAMPLES = {
  glyphs: ({ arrays: { calibration } }) => [...pictures(calibration as Numbers, 24, 16)],
  passages: ({ arrays: { calibration } }) => [...rows(calibration as Numbers, 64, 16)],
  finder: ({ arrays: { calibration } }) => [...pictures(calibration as Numbers, 48, 16)],
  letters: ({ arrays: { calibration } }) => [...rows(calibration as Numbers, 96, 16)],
} satisfies Record<string, (witness: Witness) => TensorValue[]>;
