import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NonMaxSuppression } from '../../build/quantized-kernels.js';
import { freshEngine, guardsIntact, placeGuarded, randomFloats, runInSplits, variants } from './kernels.js';

interface Case {
  batch?: number;
  classes?: number;
  count: number;
  limit?: bigint;
  overlap?: number;
  minimum?: number;
  capacity?: number;
  centered?: boolean;
  /** Boxes lie so many pictures apart. */
  clusters?: number;
  /** Some edges are NaN or infinite. */
  odd?: boolean;
  /** Scores are multiples of this: many are equal. */
  steps?: number;
}

const cases: Record<string, Case> = {
  'several classes and images': { batch: 2, classes: 3, count: 203, limit: 20n, overlap: 0.4, minimum: 0.1 },
  'more room than boxes': { classes: 2, count: 61, limit: 9007199254740993n, overlap: 0.3, capacity: 61 },
  'any overlap, any score': { count: 50, limit: 50n },
  'center and size': { classes: 2, count: 90, limit: 33n, overlap: 0.5, minimum: 0, centered: true },
  'equal scores': { classes: 2, count: 120, limit: 40n, overlap: 0.6, steps: 4 },
  'none good enough': { count: 30, limit: 5n, overlap: 0.5, minimum: 2 },
  'many boxes in clusters': { count: 1500, limit: 1500n, overlap: 0.3, clusters: 9 },
  'edges that are no numbers, or infinite': { count: 300, limit: 300n, overlap: 0.3, odd: true },
  'one box': { count: 1, limit: 1n, overlap: 0.5 },
  'no limit given': { count: 9, capacity: 4 },
};

type Edges = readonly [top: number, left: number, bottom: number, right: number];

function intersectionOverUnion(a: Edges, b: Edges): number {
  const height = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const width = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  const shared = Math.max(height, 0) * Math.max(width, 0);
  const area = ([top, left, bottom, right]: Edges) => (bottom - top) * (right - left);
  return shared > 0 ? shared / (area(a) + area(b) - shared) : 0;
}

/** In double precision: all boxes sorted, each compared with all that were kept. */
function keptBoxes(c: Case, edges: readonly Edges[], scores: Float32Array): number[] {
  const { minimum = -Infinity, overlap = 0, limit = 0n } = c;
  const order = [...edges.keys()].filter((i) => (scores[i] as number) > minimum);
  order.sort((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);
  const kept: number[] = [];
  for (const i of order) {
    const clear = kept.every((k) => intersectionOverUnion(edges[i] as Edges, edges[k] as Edges) <= overlap);
    if (clear && kept.length < limit) kept.push(i);
  }
  return kept;
}

/** Boxes a third of the picture wide, their corners in any order. */
function randomBoxes(
  count: number,
  { centered = false, clusters = 1, odd = false }: Case,
): { data: Float32Array; edges: Edges[] } {
  const r = randomFloats(4 * count, 7);
  const data = r.map((v, i) => {
    const shift = 3 * ((i >> 2) % clusters);
    if (odd && i % 97 === 0)
      return [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY][(i / 97) % 3] as number;
    if (centered) return i % 4 < 2 ? v : 0.3 + 0.2 * Math.abs(v);
    return shift + (i % 4 < 2 ? v : (r[i - 2] as number) + 0.6 * v);
  });
  const edges = Array.from({ length: count }, (_, i): Edges => {
    const [a, b, c, d] = data.subarray(4 * i, 4 * i + 4) as unknown as Edges;
    if (centered) return [b - d / 2, a - c / 2, b + d / 2, a + c / 2];
    return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  });
  return { data, edges };
}

for (const variant of variants) {
  const test = suite(`non-max suppression (${variant})`);
  for (const [name, c] of Object.entries(cases)) {
    test(name, () => {
      const { batch = 1, classes = 1, count, limit, overlap, minimum, centered = false, steps } = c;
      const capacity = c.capacity ?? Number(limit);
      const { data, edges } = randomBoxes(batch * count, c);
      const scores = randomFloats(batch * classes * count, 3).map((s) => (steps ? Math.round(s * steps) / steps : s));
      const tiles = batch * classes;
      const expected = Array.from({ length: tiles }, (_, tile) => {
        const image = Math.floor(tile / classes);
        const own = edges.slice(image * count, (image + 1) * count);
        return keptBoxes(c, own, scores.subarray(tile * count, (tile + 1) * count));
      });

      const engine = freshEngine(variant);
      const workBytes =
        16 *
        Math.ceil(
          (NonMaxSuppression.WORK +
            NonMaxSuppression.BLOCK * Math.ceil(capacity / 4) +
            NonMaxSuppression.CANDIDATE * count) /
            16,
        );
      const selected = placeGuarded(engine, new Int32Array(tiles * capacity));
      const counts = placeGuarded(engine, new Int32Array(tiles));
      const work = placeGuarded(engine, new Uint8Array(tiles * workBytes));
      const params = {
        boxes: placeGuarded(engine, data),
        scores: placeGuarded(engine, scores),
        limit: limit === undefined ? 0 : placeGuarded(engine, BigInt64Array.of(limit)),
        overlap: overlap === undefined ? 0 : placeGuarded(engine, Float32Array.of(overlap)),
        minimum: minimum === undefined ? 0 : placeGuarded(engine, Float32Array.of(minimum)),
        selected,
        counts,
        work,
        workBytes,
        classes,
        count,
        capacity,
        centered: Number(centered),
      };
      engine.launch('nonMaxSuppression', params, tiles);
      expected.forEach((kept, tile) => {
        const length = engine.i32[counts / 4 + tile] as number;
        const from = selected / 4 + tile * capacity;
        assert.equal([...engine.i32.slice(from, from + length)], kept);
      });
      runInSplits(engine, 'nonMaxSuppression', params, tiles, { address: counts, bytes: 4 * tiles });
      assert.ok(guardsIntact(engine, selected, 4 * tiles * capacity));
      assert.ok(guardsIntact(engine, counts, 4 * tiles));
      assert.ok(guardsIntact(engine, work, tiles * workBytes));
    });
  }
  test.run();
}
