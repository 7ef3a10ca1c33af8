import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { planStridedCopy } from '../../bindings/strided-copy.js';
import { freshEngine, guardsIntact, placeGuarded, runInSplits, variants } from './kernels.js';

interface Case {
  readonly name: string;
  readonly dims: number[];
  readonly xStrides: number[];
  readonly yStrides: number[];
  readonly xOffset?: number;
  readonly yOffset?: number;
}

const dense = (dims: number[]) => dims.map((_, d) => dims.slice(d + 1).reduce((a, b) => a * b, 1));

/** Transposition of a dense tensor: dimension d of y is dimension perm[d] of x. */
function permuted(name: string, shape: number[], perm: number[]): Case {
  const dims = perm.map((d) => shape[d] as number);
  const strides = dense(shape);
  return { name, dims, xStrides: perm.map((d) => strides[d] as number), yStrides: dense(dims) };
}

const CASES: Case[] = [
  { name: 'dense', dims: [100_003], xStrides: [1], yStrides: [1] },
  { name: 'one element', dims: [], xStrides: [], yStrides: [], xOffset: 3 },
  { name: 'empty', dims: [4, 0], xStrides: [1, 1], yStrides: [1, 1] },
  permuted('NCHW to NHWC, 3 channels', [2, 3, 37, 41], [0, 2, 3, 1]),
  permuted('NHWC to NCHW, 3 channels', [2, 37, 41, 3], [0, 3, 1, 2]),
  permuted('NCHW to NHWC, 64 channels', [2, 64, 13, 11], [0, 2, 3, 1]),
  permuted('NHWC to NCHW, 21 channels', [2, 13, 11, 21], [0, 3, 1, 2]),
  permuted('matrix, odd', [131, 257], [1, 0]),
  permuted('matrix, wide', [3, 20_000], [1, 0]),
  permuted('matrix, tall', [20_000, 2], [1, 0]),
  permuted('heads', [2, 50, 4, 16], [0, 2, 1, 3]),
  permuted('keys', [2, 50, 4, 16], [0, 2, 3, 1]),
  permuted('interleaved halves', [30, 2, 45], [0, 2, 1]),
  permuted('separated pairs', [30, 45, 2], [0, 2, 1]),
  permuted('rows 4 KiB apart', [1024, 37], [1, 0]),
  permuted('outermost last', [7, 6, 5, 4, 3], [4, 3, 2, 1, 0]),
  permuted('pairs', [60, 70, 2], [1, 0, 2]),
  permuted('quadruples', [60, 70, 4], [1, 0, 2]),
  permuted('depth to space', [1, 10, 11, 2, 2, 6], [0, 1, 3, 2, 4, 5]),
  permuted('channel shuffle', [300, 4, 12], [0, 2, 1]),
  permuted('many small planes', [500, 5, 7], [0, 2, 1]),
  { name: 'slice', dims: [9, 30, 5], xStrides: [400, 10, 1], yStrides: [150, 5, 1], xOffset: 23 },
  { name: 'slice with steps', dims: [9, 20, 5], xStrides: [800, 20, 2], yStrides: [100, 5, 1], xOffset: 7 },
  { name: 'reversed', dims: [40, 50], xStrides: [-50, -1], yStrides: [50, 1], xOffset: 1999 },
  { name: 'reversed rows', dims: [40, 50], xStrides: [-50, 1], yStrides: [50, 1], xOffset: 1950 },
  { name: 'concat into columns', dims: [900, 3], xStrides: [3, 1], yStrides: [8, 1], yOffset: 5 },
  { name: 'concat of long rows', dims: [20, 1500], xStrides: [1500, 1], yStrides: [2000, 1], yOffset: 500 },
  { name: 'expand', dims: [30, 40, 50], xStrides: [0, 1, 0], yStrides: [2000, 50, 1] },
  { name: 'tile', dims: [3, 40, 4, 25], xStrides: [0, 25, 0, 1], yStrides: [4000, 100, 25, 1] },
  { name: 'scatter with steps', dims: [50, 60], xStrides: [60, 1], yStrides: [180, 3], yOffset: 1 },
];

const reach = (dims: number[], strides: number[]) =>
  dims.reduce((sum, dim, d) => sum + Math.max(0, (dim - 1) * (strides[d] as number)), 0);

/** For every element of the space, where it comes from and where it goes. */
function moves(c: Case): [from: number, to: number][] {
  let list: [number, number][] = [[c.xOffset ?? 0, c.yOffset ?? 0]];
  for (const [d, dim] of c.dims.entries()) {
    const [dx, dy] = [c.xStrides[d] as number, c.yStrides[d] as number];
    list = list.flatMap(([x, y]) => Array.from({ length: dim }, (_, i): [number, number] => [x + i * dx, y + i * dy]));
  }
  return list;
}

/** What the copy should leave in a destination full of `blank`. */
function expected(list: [number, number][], size: number, x: Uint8Array, yElements: number, blank: number): Uint8Array {
  const y = new Uint8Array(yElements * size).fill(blank);
  for (const [from, to] of list) for (let b = 0; b < size; b++) y[to * size + b] = x[from * size + b] as number;
  return y;
}

for (const variant of variants) {
  const test = suite(`strided copy (${variant})`);
  for (const c of CASES) {
    test(c.name, () => {
      const engine = freshEngine(variant);
      const list = moves(c);
      for (const elementBytes of [1, 2, 4, 8, 16]) {
        const xBytes = ((c.xOffset ?? 0) + reach(c.dims, c.xStrides) + 1) * elementBytes;
        const yElements = (c.yOffset ?? 0) + reach(c.dims, c.yStrides) + 1;
        const source = Uint8Array.from({ length: xBytes }, (_, i) => (i * 7 + (i >> 8)) & 0xff);
        const x = placeGuarded(engine, source);
        const bytes = yElements * elementBytes;
        const y = placeGuarded(engine, new Uint8Array(bytes).fill(0x77));
        const launch = planStridedCopy({ ...c, x, y, elementBytes });
        const table = placeGuarded(engine, Int32Array.from(launch.table as number[]));
        const output = { address: y, bytes };
        const params = { ...launch.params, table } as never;
        runInSplits(engine, launch.kernel, params, launch.tiles as number, output);
        const want = expected(list, elementBytes, source, yElements, 0x77);
        const got = engine.u8.subarray(y, y + bytes);
        const wrong = want.findIndex((v, i) => got[i] !== v);
        assert.is(wrong, -1, `${elementBytes}-byte elements: byte ${wrong} differs`);
        assert.ok(guardsIntact(engine, y, bytes));
      }
    });
  }
  test.run();
}
