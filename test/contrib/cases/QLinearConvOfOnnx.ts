import { type AttributeInputs, tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, int, ints, pick, unit } = draw(34);

/** [channels, outputs, groups, sizes, kernel, attributes] */
type Window = readonly [number, number, number, readonly number[], readonly number[], AttributeInputs];

const WINDOWS: readonly Window[] = [
  [3, 5, 1, [6, 5], [3, 3], { pads: [1, 1, 1, 1] }],
  [4, 9, 1, [4, 4], [1, 1], {}],
  [3, 4, 1, [7, 8], [3, 2], { strides: [2, 3], pads: [0, 1, 2, 0] }],
  [2, 3, 1, [8, 9], [2, 3], { dilations: [3, 2], pads: [1, 2, 1, 2] }],
  [4, 6, 2, [5, 5], [3, 3], { auto_pad: 'SAME_UPPER' }],
  [6, 6, 6, [5, 6], [3, 3], { pads: [1, 1, 1, 1], strides: [2, 1] }],
  [19, 19, 19, [6, 7], [3, 3], { pads: [1, 1, 1, 1] }],
  [9, 9, 9, [7, 7], [5, 3], { strides: [2, 2] }],
  [16, 16, 16, [4, 9], [1, 3], { pads: [0, 2, 0, 2], dilations: [1, 2] }],
  [3, 6, 3, [4, 5], [2, 2], { auto_pad: 'SAME_LOWER' }],
  [2, 2, 1, [9], [4], { pads: [2, 1], strides: [2] }],
  [17, 10, 1, [2, 3], [2, 2], { auto_pad: 'VALID' }],
];

const scale = (count: number | undefined, size: number) =>
  tensor(
    'float32',
    count ? [count] : [],
    Array.from({ length: count ?? 1 }, () => size * (0.5 + unit())),
  );

const cases = Array.from({ length: 30 }, (_, i): Case => {
  const [channels, outputs, group, sizes, kernel, rest] = WINDOWS[i % WINDOWS.length] as Window;
  const type = pick(['uint8', 'int8'] as const);
  const wType = type === 'int8' ? 'int8' : pick(['uint8', 'int8'] as const);
  const [least, wLeast] = [type === 'int8' ? -128 : 0, wType === 'int8' ? -128 : 0];
  const perChannel = chance(0.6) ? outputs : undefined;
  const wZeros = perChannel ? [perChannel] : [];
  const x = ints(type, [int(1, 2), channels, ...sizes], least, least + 255);
  const w = ints(wType, [outputs, channels / group, ...kernel], wLeast, wLeast + 255);
  return {
    label: `${type} [${x.dims}] by ${wType} [${w.dims}] in ${group} ${JSON.stringify(rest)}`,
    attributes: { ...rest, group },
    inputs: [
      x,
      scale(undefined, 0.02),
      ints(type, [], least, least + 255),
      w,
      scale(perChannel, 0.01),
      wType === 'int8' ? ints(wType, wZeros, 0, 0) : ints(wType, wZeros, 128, 128),
      scale(undefined, pick([0.1, 1])),
      ints(type, [], least, least + 255),
      ...(chance(0.6) ? [ints('int32', [outputs], -5000, 5000)] : []),
    ],
    constants: chance(0.7) ? [1, 2, 3, 4, 5, 6, 7] : [4, 5],
  };
});

export const operator: OperatorCases = {
  op: 'QLinearConv',
  domain: '',
  tolerance: { relative: 0, absolute: 0 },
  cases,
};
