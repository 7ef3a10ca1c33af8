import { Activation, AttentionTile, type KernelParams, RecurrentActivation, Reduction } from '../../build/kernels.js';
import { LinearAttentionTile } from '../../build/quantized-kernels.js';
import { type Case, ceilDiv, type Engine, floats, launching } from './measure.js';

type Attention = KernelParams['attention'];

/** Strides of [B, T, H·D] with `width` floats from row to row. */
const rowsOf = (length: number, size: number, width: number) => ({ batch: length * width, head: size, row: width });

function attention(name: string, heads: number, queries: number, keys: number, size: number, masked = false): Case {
  return {
    name: `attention ${name}`,
    flops: 4 * heads * queries * keys * size,
    prepare(engine) {
      const q = rowsOf(queries, size, heads * size);
      const k = rowsOf(keys, size, heads * size);
      const params: Attention = {
        ...{ q: floats(engine, queries * heads * size), k: floats(engine, keys * heads * size) },
        ...{ v: floats(engine, keys * heads * size), y: floats(engine, queries * heads * size) },
        ...{ mask: masked ? floats(engine, keys) : 0, keyLengths: 0 },
        ...{ batch: 1, heads, kvHeads: heads, queryLength: queries, keyLength: keys, headSize: size, valueSize: size },
        ...{ qBatchStride: q.batch, qHeadStride: q.head, qRowStride: q.row },
        ...{ kBatchStride: k.batch, kHeadStride: k.head, kRowStride: k.row },
        ...{ vBatchStride: k.batch, vHeadStride: k.head, vRowStride: k.row },
        ...{ yBatchStride: q.batch, yHeadStride: q.head, yRowStride: q.row },
        ...{ maskBatchStride: 0, maskHeadStride: 0, maskRowStride: 0, maskColumnStride: 1 },
        ...{ causal: 0, causalOffset: 0, scale: 1 / Math.sqrt(size), softcap: 0 },
      };
      const tiles = heads * ceilDiv(queries, AttentionTile.QueryRows);
      return launching(engine, [{ kernel: 'attention', params, tiles }]);
    },
  };
}

const gateCount = { lstm: 4, gru: 3, rnn: 1 } as const;

function recurrent(cell: keyof typeof gateCount, hidden: number, steps: number, directions: number, batch = 1): Case {
  const gates = gateCount[cell];
  const tileRows = Math.min(batch, 4);
  const panels = ceilDiv(hidden, { lstm: 8, gru: 16, rnn: 32 }[cell]) + (cell === 'gru' ? ceilDiv(hidden, 32) : 0);
  return {
    name: `${cell} ${hidden} units, ${steps} steps, ${directions} directions, batch ${batch}`,
    flops: 2 * directions * batch * steps * gates * hidden * hidden,
    prepare(engine) {
      const { Sigmoid, Tanh } = RecurrentActivation;
      const packed = engine.allocate(4 * directions * panels * hidden * 32);
      const r = engine.allocate(4 * directions * gates * hidden * hidden);
      engine.launch('packRecurrent', { r, packed, directions, gates, hidden }, directions * panels);
      const params = {
        ...{
          gates: floats(engine, steps * batch * directions * gates * hidden),
          packed,
          lengths: 0,
          flag: 0,
          initialH: 0,
          lastH: 0,
          shared: 0,
        },
        ...{
          y: floats(engine, steps * batch * directions * hidden),
          steps,
          batch,
          hidden,
          directions,
          reversed: 2,
          tileRows,
        },
        gatesStepStride: batch * directions * gates * hidden,
        ...{ gatesBatchStride: directions * gates * hidden, gatesDirectionStride: gates * hidden },
        ...{ yStepStride: batch * directions * hidden, yBatchStride: hidden, yDirectionStride: batch * hidden },
        ...{ stateBatchStride: hidden, stateDirectionStride: batch * hidden, clip: Infinity },
        ...{ f: cell === 'rnn' ? Tanh : Sigmoid, fAlpha: 0, fBeta: 0, g: Tanh, gAlpha: 0, gBeta: 0 },
        ...{ h: Tanh, hAlpha: 0, hBeta: 0, initialC: 0, lastC: 0, peepholes: 0, inputForget: 0 },
        ...{ linearBeforeReset: 0, recurrentBias: 0, recurrentBiasStride: 0 },
      };
      return launching(engine, [{ kernel: cell, params, tiles: directions * ceilDiv(batch, tileRows) }]);
    },
  };
}

/** A gated delta rule; for a decoding step, memory traffic of the state matters, for a prefill the arithmetic. */
function linearAttention(heads: number, size: number, length: number, decays: 'head' | 'key' = 'head'): Case {
  const count = heads * size;
  const passes = decays === 'key' ? 8 : 7;
  return {
    name: `linear attention ${heads} heads of ${size}, ${length} steps, by ${decays}`,
    flops: passes * length * count * size,
    bytes: 2 * 4 * count * size,
    prepare(engine) {
      const state = floats(engine, count * size);
      const row = () => floats(engine, length * count);
      const params = {
        ...{ q: row(), k: row(), v: row(), y: row(), past: state, present: floats(engine, count * size) },
        decay: decays === 'key' ? row() : floats(engine, length * heads),
        ...{ beta: floats(engine, length * heads), batch: 1, length, heads, kvHeads: heads },
        ...{ keySize: size, valueSize: size, decaySize: decays === 'key' ? size : 1, betaHeads: heads, scale: 1 },
      };
      const tiles = heads * ceilDiv(size, LinearAttentionTile.Columns);
      return launching(engine, [{ kernel: 'linearAttention', params, tiles }]);
    },
  };
}

function causalConvolution(channels: number, length: number): Case {
  const taps = 4;
  return {
    name: `causal convolution ${channels}×${length}, ${taps} taps, SiLU`,
    flops: 2 * channels * length * taps,
    bytes: 4 * 2 * channels * (length + taps - 1),
    prepare(engine) {
      const params = {
        ...{ x: floats(engine, channels * length), w: floats(engine, channels * taps), bias: floats(engine, channels) },
        ...{ past: floats(engine, channels * taps), present: floats(engine, channels * taps) },
        ...{ y: floats(engine, channels * length), batch: 1, channels, length, taps, grain: channels },
        activation: Activation.Silu,
      };
      return launching(engine, [{ kernel: 'causalConvolution', params, tiles: 1 }]);
    },
  };
}

/** One launch over a dense [outer, length, inner] space; `passes` counts the floats read and written per element. */
function line(
  name: string,
  [outer, length, inner]: readonly [number, number, number],
  passes: number,
  launch: (
    engine: Engine,
    space: { x: number; y: number; outer: number; length: number; inner: number; grain: number },
  ) => void,
): Case {
  const count = outer * length * inner;
  return {
    name: `${name} ${outer}×${length}×${inner}`,
    bytes: 4 * passes * count,
    prepare(engine) {
      const [x, y] = [floats(engine, count), floats(engine, 2 * count)];
      return () => launch(engine, { x, y, outer, length, inner, grain: outer * inner });
    },
  };
}

const reduce = (kind: keyof typeof Reduction, space: readonly [number, number, number]) =>
  line(`reduce ${kind}`, space, 1, (engine, s) => engine.launch('reduce', { ...s, kind: Reduction[kind] }, 1));

const softmax = (space: readonly [number, number, number]) =>
  line('softmax', space, 2, (engine, s) => engine.launch('softmax', { ...s, logarithm: 0 }, 1));

const none = { residual: 0, inputBias: 0, scale: 0, bias: 0, sum: 0, mean: 0, inverseStd: 0, epsilon: 1e-5 };
const norm = (kernel: 'layerNorm' | 'rmsNorm', rows: number, length: number) =>
  line(kernel, [rows, length, 1], 2, (engine, { x, y }) =>
    engine.launch(kernel, { ...none, x, y, rows, length, grain: rows }, 1),
  );

const topK = (rows: number, length: number, k: number) =>
  line(`top ${k} of`, [rows, length, 1], 1, (engine, { x, y }) =>
    engine.launch('topK', { x, values: y + 4 * rows * length, indices: y, rows, length, k, smallest: 0 }, rows),
  );

export const cases: Case[] = [
  attention('bert_mini 128×128, 4 heads of 64', 4, 128, 128, 64),
  attention('bert_mini with a padding mask', 4, 128, 128, 64, true),
  attention('vit 197×197, 3 heads of 64', 3, 197, 197, 64),
  attention('512×512, 8 heads of 128', 8, 512, 512, 128),
  attention('decoding over 128 keys, 12 heads of 64', 12, 1, 128, 64),
  attention('decoding over 2048 keys, 12 heads of 64', 12, 1, 2048, 64),
  linearAttention(16, 128, 1),
  linearAttention(16, 128, 64),
  linearAttention(16, 128, 64, 'key'),
  causalConvolution(6144, 1),
  causalConvolution(2048, 128),
  recurrent('lstm', 96, 64, 1),
  recurrent('lstm', 96, 64, 2),
  recurrent('lstm', 256, 64, 1),
  recurrent('lstm', 128, 100, 1),
  recurrent('lstm', 256, 50, 1, 8),
  recurrent('gru', 128, 100, 1),
  recurrent('gru', 256, 50, 1, 8),
  recurrent('gru', 96, 64, 1),
  recurrent('rnn', 96, 64, 1),
  reduce('Sum', [1024, 256, 1]),
  reduce('Sum', [1, 49, 1280]),
  reduce('Max', [1024, 256, 1]),
  reduce('LogSumExp', [1024, 256, 1]),
  softmax([512, 128, 1]),
  softmax([1, 50257, 1]),
  softmax([16, 128, 128]),
  norm('layerNorm', 128, 256),
  norm('layerNorm', 128, 768),
  norm('rmsNorm', 128, 768),
  topK(1, 50257, 50),
];
