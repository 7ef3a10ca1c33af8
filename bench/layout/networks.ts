export type Kind = 'first' | '1×1' | '3×3' | 'depthwise';

/** One convolution of square maps, `times` of them in the network. */
export interface Layer {
  kind: Kind;
  channels: number;
  outChannels: number;
  size: number;
  kernel: number;
  stride: number;
  pad: number;
  times: number;
}

export const outSize = ({ size, kernel, stride, pad }: Layer) => Math.floor((size + 2 * pad - kernel) / stride) + 1;

/** [channels, outChannels, size, times, stride] */
type Row = [number, number, number, number?, number?];

const first = (outChannels: number, kernel: number, pad: number): Layer[] => [
  { kind: 'first', channels: 3, outChannels, size: 224, kernel, stride: 2, pad, times: 1 },
];

const convolutions = (kind: Kind, kernel: number, rows: Row[]): Layer[] =>
  rows.map(([channels, outChannels, size, times = 1, stride = 1]) => {
    return { kind, channels, outChannels, size, kernel, stride, pad: (kernel - 1) >> 1, times };
  });

const depthwise = (rows: [channels: number, size: number, stride: number, times: number][]): Layer[] =>
  rows.map(([channels, size, stride, times]) => {
    return { kind: 'depthwise', channels, outChannels: channels, size, kernel: 3, stride, pad: 1, times };
  });

/** The convolutions of the networks on images of 224 × 224. */
export const networks: Record<string, Layer[]> = {
  squeezenet1_1: [
    ...first(64, 3, 0),
    ...convolutions('1×1', 1, [
      [64, 16, 55],
      [128, 16, 55],
      [16, 64, 55, 2],
      [128, 32, 27],
      [256, 32, 27],
      [32, 128, 27, 2],
      [256, 48, 13],
      [384, 48, 13],
      [48, 192, 13, 2],
      [384, 64, 13],
      [512, 64, 13],
      [64, 256, 13, 2],
      [512, 1000, 13],
    ]),
    ...convolutions('3×3', 3, [
      [16, 64, 55, 2],
      [32, 128, 27, 2],
      [48, 192, 13, 2],
      [64, 256, 13, 2],
    ]),
  ],
  mobilenet_v2: [
    ...first(32, 3, 1),
    ...convolutions('1×1', 1, [
      [32, 16, 112],
      [16, 96, 112],
      [96, 24, 56],
      [24, 144, 56, 2],
      [144, 24, 56],
      [144, 32, 28],
      [32, 192, 28, 3],
      [192, 32, 28, 2],
      [192, 64, 14],
      [64, 384, 14, 4],
      [384, 64, 14, 3],
      [384, 96, 14],
      [96, 576, 14, 3],
      [576, 96, 14, 2],
      [576, 160, 7],
      [160, 960, 7, 3],
      [960, 160, 7, 2],
      [960, 320, 7],
      [320, 1280, 7],
    ]),
    ...depthwise([
      [32, 112, 1, 1],
      [96, 112, 2, 1],
      [144, 56, 1, 1],
      [144, 56, 2, 1],
      [192, 28, 1, 2],
      [192, 28, 2, 1],
      [384, 14, 1, 4],
      [576, 14, 1, 2],
      [576, 14, 2, 1],
      [960, 7, 1, 3],
    ]),
  ],
  resnet18: [
    ...first(64, 7, 3),
    ...convolutions('1×1', 1, [
      [64, 128, 56, 1, 2],
      [128, 256, 28, 1, 2],
      [256, 512, 14, 1, 2],
    ]),
    ...convolutions('3×3', 3, [
      [64, 64, 56, 4],
      [64, 128, 56, 1, 2],
      [128, 128, 28, 3],
      [128, 256, 28, 1, 2],
      [256, 256, 14, 3],
      [256, 512, 14, 1, 2],
      [512, 512, 7, 3],
    ]),
  ],
};
