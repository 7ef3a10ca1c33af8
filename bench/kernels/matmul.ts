import { MatMulTile } from '../../build/kernels.js';
import { type Case, ceilDiv, type Engine, floats, type Launch, launching, noEpilogue } from './measure.js';

/** One product of `batch` matrices with B packed in advance. */
export function product(engine: Engine, m: number, n: number, k: number, batch = 1): Launch<'matmul'> {
  const panels = ceilDiv(n, MatMulTile.Panel) * MatMulTile.Panel * k;
  const params = {
    ...noEpilogue,
    ...{ a: floats(engine, batch * m * k), b: floats(engine, batch * panels), y: floats(engine, batch * m * n) },
    ...{ m, n, k, outer: 1, inner: batch, aRowStride: k, aColumnStride: 1, aOuterStride: 0, aInnerStride: m * k },
    ...{ bOuterStride: 0, bInnerStride: panels, yRowStride: n, yOuterStride: 0, yInnerStride: m * n },
    ...{
      residualRowStride: 0,
      residualOuterStride: 0,
      residualInnerStride: 0,
      biasInnerStride: 0,
      tileColumns: MatMulTile.Columns,
    },
  };
  const tiles = batch * ceilDiv(m, MatMulTile.Rows) * ceilDiv(n, MatMulTile.Columns);
  return { kernel: 'matmul', params, tiles };
}

const matmul = (name: string, m: number, n: number, k: number): Case => ({
  name,
  flops: 2 * m * n * k,
  prepare: (engine) => launching(engine, [product(engine, m, n, k)]),
});

const gemv = (m: number, n: number, k: number): Case => ({
  name: `matmul ${m}×${k}×${n}`,
  bytes: 4 * (n * k + m * (n + k)),
  prepare: (engine) => launching(engine, [product(engine, m, n, k)]),
});

const packB = (name: string, n: number, k: number, rowStride: number, columnStride: number): Case => ({
  name,
  bytes: 8 * n * k,
  prepare(engine) {
    const view = { n, k, outer: 1, inner: 1, rowStride, columnStride, outerStride: 0, innerStride: 0, alpha: 1 };
    const params = { b: floats(engine, n * k), packed: floats(engine, n * k), ...view };
    return launching(engine, [{ kernel: 'packMatMulB', params, tiles: ceilDiv(n, MatMulTile.Panel) }]);
  },
});

export const cases: Case[] = [
  matmul('matmul 512³', 512, 512, 512),
  matmul('matmul 128×256×1024', 128, 1024, 256),
  matmul('matmul 384×1024×1024', 384, 1024, 1024),
  matmul('matmul 64×4096×64', 64, 64, 4096),
  matmul('1×1 convolution 56² 64→256', 56 * 56, 256, 64),
  matmul('1×1 convolution 56² 256→64', 56 * 56, 64, 256),
  matmul('1×1 convolution 14² 256→1024', 14 * 14, 1024, 256),
  matmul('1×1 convolution 112² 32→16', 112 * 112, 16, 32),
  matmul('1×1 convolution 7² 960→160', 7 * 7, 160, 960),
  matmul('1×1 convolution 7² 320→1280', 7 * 7, 1280, 320),
  matmul('matmul 12544×27×32', 12544, 32, 27),
  gemv(1, 4096, 1024),
  gemv(1, 1024, 256),
  gemv(4, 4096, 1024),
  packB('packMatMulB 1024×1024', 1024, 1024, 1024, 1),
  packB('packMatMulB 1024×1024, B transposed', 1024, 1024, 1, 1024),
];
