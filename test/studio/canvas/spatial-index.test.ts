import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Extents, extentsOfEdges } from '../../../studio/src/canvas/scene/extents.js';
import { indexOf } from '../../../studio/src/canvas/scene/spatial-index.js';

const test = suite('studio/canvas: what lies in a window');

/** https://en.wikipedia.org/wiki/Linear_congruential_generator */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function scattered(count: number, span: number, longest: number, next: () => number): Extents {
  const columns = { left: new Float32Array(count), top: new Float32Array(count) };
  const ends = { right: new Float32Array(count), bottom: new Float32Array(count) };
  for (let i = 0; i < count; i++) {
    columns.left[i] = (next() - 0.3) * span;
    columns.top[i] = (next() - 0.3) * span * 4;
    ends.right[i] = (columns.left[i] as number) + next() ** 6 * longest;
    ends.bottom[i] = (columns.top[i] as number) + next() ** 6 * longest;
  }
  return { count, ...columns, ...ends };
}

for (const [count, span, longest] of [
  [2000, 3000, 12_000],
  [500, 4_000_000, 4_000_000],
  [1, 10, 10],
  [0, 10, 10],
] as const) {
  test(`${count} items over ${span} pixels are found as by looking at each`, () => {
    const next = random(count + 1);
    const extents = scattered(count, span, longest, next);
    const index = indexOf(extents);
    for (let round = 0; round < 60; round++) {
      const size = next() ** 3 * span;
      const window = { x: (next() - 0.4) * span, y: (next() - 0.4) * span * 4, width: size, height: size };
      const found: number[] = [];
      index.query(window, (item) => void found.push(item));
      const { left, top, right, bottom } = extents;
      const expected = Array.from({ length: count }, (_, i) => i).filter(
        (i) =>
          (left[i] as number) <= window.x + size &&
          (right[i] as number) >= window.x &&
          (top[i] as number) <= window.y + size &&
          (bottom[i] as number) >= window.y,
      );
      assert.equal(
        found.sort((a, b) => a - b),
        expected,
      );
    }
  });
}

test('an edge without corners is nowhere, and spoils no bounds', () => {
  const extents = extentsOfEdges({
    count: 2,
    from: Int32Array.of(0, 0),
    to: Int32Array.of(1, 1),
    value: Int32Array.of(0, 0),
    shared: Int32Array.of(1, 1),
    start: Int32Array.of(0, 0, 2),
    corners: Float32Array.of(50, 60, 50, 90),
  });
  const found: number[] = [];
  indexOf(extents).query({ x: 40, y: 70, width: 20, height: 1 }, (item) => void found.push(item));
  assert.equal(found, [1]);
});

test.run();
