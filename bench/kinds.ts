import { randomFloats } from './inputs.js';
import {
  beside,
  conv,
  dense,
  gated,
  halfThrough,
  inTurn,
  type Layer,
  layered,
  op,
  type Recurrence,
  recurrent,
  relu,
  residual,
  shuffle,
  times,
  upConv,
} from './layers.js';
import type { Row } from './rows.js';

const row = (name: string, dims: number[], ...layers: Layer[]): Row => ({
  name,
  model: () => layered(dims, layers),
  inputs: (random) => [randomFloats('x', dims, random)],
});

const ONE = { kernel: [1, 1] };
const depthwise = (channels: number, kernel: readonly number[]) =>
  conv(channels, channels, { kernel, group: channels });

/** RegNet's block: https://arxiv.org/abs/2003.13678 */
function regnet(width: number, channels: number, size: number): Row {
  const grouped = conv(channels, channels, { kernel: [3, 3], group: channels / width });
  const block = residual(conv(channels, channels, ONE), relu, grouped, relu, conv(channels, channels, ONE));
  return row(`groups of ${width}: ${channels} at ${size}²`, [1, channels, size, size], times(3, block, relu));
}

/** ShuffleNet's unit: https://arxiv.org/abs/1707.01083 */
function shuffleNet(group: number, channels: number, size: number): Row {
  const narrow = channels / 4;
  const pointwise = (from: number, to: number) => conv(from, to, { ...ONE, group });
  const unit = residual(
    ...[pointwise(channels, narrow), relu, shuffle(narrow, group, [size, size])],
    ...[depthwise(narrow, [3, 3]), pointwise(narrow, channels)],
  );
  return row(`shuffle ${group} groups: ${channels} at ${size}²`, [1, channels, size, size], times(4, unit, relu));
}

/** ShuffleNet's second unit: https://arxiv.org/abs/1807.11164 */
function shuffleNet2(channels: number, size: number): Row {
  const half = channels / 2;
  const branch = [conv(half, half, ONE), relu, depthwise(half, [3, 3]), conv(half, half, ONE), relu];
  const unit = inTurn(halfThrough(...branch), shuffle(channels, 2, [size, size]));
  return row(`shuffle halves: ${channels} at ${size}²`, [1, channels, size, size], times(4, unit));
}

const CUBE = { kernel: [3, 3, 3] };
const volume3d = (channels: number) => residual(conv(channels, channels, CUBE), relu, conv(channels, channels, CUBE));

const volumes: Row[] = [
  row(
    '3-D residual: 8×64²',
    [1, 3, 8, 64, 64],
    ...[conv(3, 32, { kernel: [3, 7, 7], strides: [1, 2, 2] }), relu, volume3d(32), relu],
    ...[conv(32, 64, { ...CUBE, strides: [2, 2, 2] }), relu, volume3d(64), relu],
  ),
  row(
    '3-D by planes and time: 8×56²',
    [1, 16, 8, 56, 56],
    times(2, conv(16, 32, { kernel: [1, 3, 3] }), relu, conv(32, 16, { kernel: [3, 1, 1] }), relu),
  ),
  row(
    '3-D U-Net: 32³',
    [1, 1, 32, 32, 32],
    ...[conv(1, 16, CUBE), relu],
    beside(
      inTurn(conv(16, 16, CUBE), relu),
      inTurn(
        op('MaxPool', { kernel_shape: [2, 2, 2], strides: [2, 2, 2] }),
        ...[conv(16, 32, CUBE), relu, conv(32, 32, CUBE), relu, upConv(32, 16, 3)],
      ),
    ),
    ...[conv(32, 16, CUBE), relu, conv(16, 2, { kernel: [1, 1, 1] })],
  ),
];

const signal = (channels: number, kernel: number, dilation = 1) =>
  conv(channels, channels, { kernel: [kernel], dilations: [dilation] });

const signals: Row[] = [
  row(
    '1-D spectrogram: 80 by 3000',
    [1, 80, 3000],
    ...[conv(80, 256, { kernel: [3] }), op('Gelu'), conv(256, 256, { kernel: [3], strides: [2] }), op('Gelu')],
  ),
  row(
    '1-D residual, kernel 15: 12 by 1000',
    [1, 12, 1000],
    ...[conv(12, 64, { kernel: [15], strides: [2] }), relu],
    times(3, residual(signal(64, 15), relu, signal(64, 15)), relu),
  ),
  row(
    '1-D dilated: 64 by 200',
    [1, 64, 200],
    ...[1, 2, 4, 8, 16, 32].map((dilation) => residual(signal(64, 3, dilation), relu, conv(64, 64, { kernel: [1] }))),
  ),
  row('1-D short: 32 by 50', [1, 32, 50], conv(32, 64, { kernel: [5] }), relu, times(3, signal(64, 5), relu)),
  row(
    '1-D samples: 1 by 3000',
    [1, 1, 3000],
    ...[conv(1, 128, { kernel: [10], strides: [5] }), relu],
    times(3, conv(128, 128, { kernel: [3], strides: [2] }), relu),
  ),
  row(
    '1-D conformer: 144 by 400',
    [1, 144, 400],
    times(
      2,
      residual(
        ...[conv(144, 288, { kernel: [1] }), gated, depthwise(144, [31]), relu, conv(144, 144, { kernel: [1] })],
      ),
    ),
  ),
];

const products = (
  [
    [30, 256, 256],
    [50, 384, 1536],
    [64, 512, 512],
    [100, 1024, 1024],
  ] as const
).map(([rows, width, inner]) =>
  row(
    `product ${rows} by ${width} by ${inner}`,
    [rows, width],
    times(2, dense(width, inner), relu, dense(inner, width), relu),
  ),
);

function sequence(name: string, steps: number, batch: number, ...layers: Recurrence[]): Row {
  const [{ inputs, kind }] = layers as [Recurrence];
  return row(`${kind} ${name}, ${steps} steps`, [steps, batch, inputs], ...layers.map(recurrent));
}

const sequences: Row[] = [
  sequence('128', 100, 1, { kind: 'LSTM', inputs: 64, hidden: 128 }, { kind: 'LSTM', inputs: 128, hidden: 128 }),
  sequence('256 both ways', 50, 1, { kind: 'LSTM', inputs: 128, hidden: 256, bothWays: true }),
  sequence('256, batch 8', 50, 8, { kind: 'LSTM', inputs: 128, hidden: 256 }),
  sequence('32', 200, 1, { kind: 'LSTM', inputs: 16, hidden: 32 }),
  sequence('128', 100, 1, { kind: 'GRU', inputs: 64, hidden: 128 }, { kind: 'GRU', inputs: 128, hidden: 128 }),
  sequence('256 both ways', 50, 1, { kind: 'GRU', inputs: 128, hidden: 256, bothWays: true }),
  sequence('256, batch 8', 50, 8, { kind: 'GRU', inputs: 128, hidden: 256 }),
  sequence('200 reset first', 50, 1, { kind: 'GRU', inputs: 100, hidden: 200, linearBeforeReset: false }),
];

export const kinds: Row[] = [
  regnet(8, 64, 56),
  regnet(16, 160, 28),
  regnet(24, 240, 28),
  regnet(32, 256, 28),
  regnet(64, 512, 14),
  shuffleNet(3, 240, 28),
  shuffleNet(8, 384, 28),
  shuffleNet2(116, 28),
  ...volumes,
  ...signals,
  ...products,
  ...sequences,
];
