// Products with 4-bit weights in blocks of 32, in the shapes of prompts and tokens of SmolLM2-135M.
import { IntegerDots, NBitPanel, NBitTile, ZeroPoints } from '../../build/quantized-kernels.js';
import { integerDots } from '../../src/backends/wasm/lower/integer-dots.js';
import { type Case, ceilDiv, type Engine, floats, launching } from './measure.js';

const BLOCK = 32;

function bytes(engine: Engine, count: number): number {
  const at = engine.allocate(count);
  for (let i = 0; i < count; i++) engine.u8[at + i] = (i * 7919) % 251;
  return at;
}

const product = (m: number, k: number, n: number, narrow: boolean): Case => ({
  name: `n-bit ${m}×${k}×${n}, activations of ${narrow ? 8 : 16} bits`,
  flops: 2 * m * k * n,
  prepare(engine) {
    const [bits, blocks, panels] = [4, k / BLOCK, ceilDiv(n, NBitPanel.Columns)];
    const form = { narrow: Number(narrow), quads: Number(integerDots(engine) !== IntegerDots.Pairs) };
    const q = engine.allocate(2 * m * k);
    const [aScales, sums] = [floats(engine, m * blocks), floats(engine, m * blocks)];
    const rounding = {
      x: floats(engine, m * k),
      q,
      scales: aScales,
      sums,
      columns: k,
      block: BLOCK,
      blocks,
      tileBlocks: blocks,
    };
    const params = {
      ...{ q, aScales, sums, b: bytes(engine, (panels * NBitPanel.Columns * k * bits) / 8), bias: 0 },
      ...{
        scales: floats(engine, panels * NBitPanel.Columns * blocks),
        zeros: 0,
        zeroPoints: ZeroPoints.Same,
        zeroPoint: 8,
      },
      ...{
        y: floats(engine, m * n),
        m,
        n,
        block: BLOCK,
        split: 1,
        blocks,
        bits,
        ...form,
        tilePanels: 16,
        meanings: 0,
        choices: 0,
        perRow: 1,
        x: rounding.x,
        columns: k,
        isExact: 0,
        unit: 0,
      },
    };
    const tiles = ceilDiv(m, NBitTile.Rows) * ceilDiv(panels, params.tilePanels);
    return launching(engine, [
      { kernel: 'quantizeBlocks', params: { ...rounding, ...form, bits }, tiles: m },
      { kernel: 'nBitProduct', params, tiles },
    ]);
  },
});

export const cases: Case[] = [
  [1, 576, 1536],
  [4, 576, 1536],
  [512, 576, 576],
  [512, 576, 1536],
  [512, 1536, 576],
  [32, 4096, 4096],
].flatMap(([m = 0, k = 0, n = 0]) => [product(m, k, n, false), product(m, k, n, true)]);
