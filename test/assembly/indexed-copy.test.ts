import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type PadMode, padIndices, planIndexedCopy } from './indexed-copy.js';
import { freshEngine, guardsIntact, placeGuarded, runInSplits, variants } from './kernels.js';

// numpy.pad of [0, 1, 2, 3] by 5 before and 2 after.
const PADDED: Record<PadMode, number[]> = {
  constant: [-1, -1, -1, -1, -1, 0, 1, 2, 3, -1, -1],
  edge: [0, 0, 0, 0, 0, 0, 1, 2, 3, 3, 3],
  wrap: [3, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1],
  reflect: [1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1],
};
const MODES = Object.keys(PADDED) as PadMode[];

const planning = suite('indexed copy planning');
for (const mode of MODES) {
  planning(`pads ${mode}`, () => {
    assert.equal(padIndices(4, 5, 2, mode), PADDED[mode]);
    assert.equal(padIndices(4, -1, -2, mode), [1]);
  });
}
planning('one element reflects into itself', () => assert.equal(padIndices(1, 2, 1, 'reflect'), [0, 0, 0, 0]));
planning.run();

for (const variant of variants) {
  const test = suite(`indexed copy (${variant})`);
  for (const mode of MODES) {
    for (const [name, shape, pads] of [
      ['a map', [2, 5, 7, 3], [0, 2, 3, 0]],
      ['the innermost dimension', [3, 6, 5], [0, 1, 2]],
      ['a batch', [4, 1000], [2, 0]],
      ['nothing', [30], [0]],
    ] as const) {
      test(`pads ${name}, ${mode}`, () => {
        const engine = freshEngine(variant);
        const indices = shape.map((dim, d) => (pads[d] ? padIndices(dim, pads[d] as number, 1, mode) : undefined));
        const dims = indices.map((i, d) => i?.length ?? (shape[d] as number));
        const count = dims.reduce((a, b) => a * b, 1);
        for (const elementBytes of [1, 2, 4, 8] as const) {
          const source = Uint8Array.from(
            { length: shape.reduce<number>((a, b) => a * b, elementBytes) },
            (_, i) => (i * 7) & 255,
          );
          const value = 0x0102030405060708n;
          const fill = new Uint8Array(new BigUint64Array([value]).buffer);
          const bytes = count * elementBytes;
          const y = placeGuarded(engine, new Uint8Array(bytes));
          const launch = planIndexedCopy({ x: placeGuarded(engine, source), y, elementBytes, shape, indices, value });
          const table = placeGuarded(engine, Int32Array.from(launch.table));
          runInSplits(engine, 'indexedCopy', { ...launch.params, table }, launch.tiles, { address: y, bytes });
          for (let i = 0; i < count; i++) {
            let from = 0;
            for (let d = 0, rest = i, below = count; d < dims.length; d++) {
              below /= dims[d] as number;
              const k = Math.floor(rest / below);
              rest %= below;
              const at = indices[d]?.[k] ?? k;
              from = at < 0 || from < 0 ? -1 : from * (shape[d] as number) + at;
            }
            for (let b = 0; b < elementBytes; b++) {
              const expected = from < 0 ? fill[b] : source[from * elementBytes + b];
              assert.is(engine.u8[y + i * elementBytes + b], expected);
            }
          }
          assert.ok(guardsIntact(engine, y, bytes));
        }
      });
    }
  }
  const FILL = -1;
  const COLUMNS: Record<string, number[]> = {
    pairs: [2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7],
    'pairs and one more': [0, 0, 1, 1, 2],
    triples: [0, 0, 0, 1, 1, 1, 2, 2, 2],
    'a gap between runs': [3, 4, FILL, 0, 1, 2, 3, 4, 9],
    'a fill before the first element': [FILL, 0, 1, 2, FILL],
    nothing: [FILL, FILL, FILL],
    backwards: [9, 8, 7, 6],
  };
  for (const [name, columns] of Object.entries(COLUMNS)) {
    test(`shows ${name}`, () => {
      const engine = freshEngine(variant);
      const [planes, rows] = [
        [1, 0, FILL],
        [3, 3, FILL, 3, 0, 0, 0, 2],
      ] as const;
      const [height, width] = [4, 10];
      for (const elementBytes of [1, 2, 4, 8]) {
        for (const run of [1, 3]) {
          const step = width * run;
          const bytes = elementBytes * run;
          const source = Uint8Array.from({ length: 2 * height * step * elementBytes }, (_, i) => (i * 7) & 127);
          const words = [planes.length, rows.length, columns.length];
          const scaled = (list: readonly number[], by: number) => list.map((at) => (at < 0 ? FILL : at * by));
          words.push(...scaled(planes, height * step), ...scaled(rows, step), ...scaled(columns, run));
          const count = planes.length * rows.length * columns.length;
          const y = placeGuarded(engine, new Uint8Array(count * bytes));
          const params = {
            x: placeGuarded(engine, source),
            y,
            table: placeGuarded(engine, Int32Array.from(words)),
            rank: 3,
            elementBytes,
            run,
            rows: planes.length * rows.length,
            tileRows: 3,
            valueLow: 0xf1f1f1f1,
            valueHigh: 0xf1f1f1f1,
          };
          runInSplits(engine, 'indexedCopy', params, 8, { address: y, bytes: count * bytes });
          const expected = planes.flatMap((plane) =>
            rows.flatMap((row) =>
              columns.flatMap((column) => {
                if (Math.min(plane, row, column) < 0) return Array<number>(bytes).fill(0xf1);
                const from = ((plane * height + row) * width + column) * bytes;
                return [...source.subarray(from, from + bytes)];
              }),
            ),
          );
          assert.equal([...engine.u8.slice(y, y + count * bytes)], expected);
          assert.ok(guardsIntact(engine, y, count * bytes));
        }
      }
    });
  }
  test.run();
}
