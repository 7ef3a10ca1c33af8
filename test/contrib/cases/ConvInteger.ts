import type { AttributeInputs } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { chance, int, ints, pick } = draw(32);

/** [channels, outputs, groups, sizes, kernel, attributes] */
type Window = readonly [number, number, number, readonly number[], readonly number[], AttributeInputs];

const WINDOWS: readonly Window[] = [
  [3, 5, 1, [6, 5], [3, 3], { pads: [1, 1, 1, 1] }],
  [4, 9, 1, [4, 4], [1, 1], {}],
  [3, 4, 1, [7, 8], [3, 2], { strides: [2, 3], pads: [0, 1, 2, 0] }],
  [2, 3, 1, [8, 9], [2, 3], { dilations: [3, 2], pads: [1, 2, 1, 2] }],
  [4, 6, 2, [5, 5], [3, 3], { auto_pad: 'SAME_UPPER' }],
  [6, 6, 6, [5, 6], [3, 3], { pads: [1, 1, 1, 1], strides: [2, 1] }],
  [3, 6, 3, [4, 5], [2, 2], { auto_pad: 'SAME_LOWER' }],
  [2, 2, 1, [9], [4], { pads: [2, 1], strides: [2] }],
  [2, 3, 1, [3, 4, 3], [2, 2, 2], { pads: [1, 0, 1, 0, 1, 0] }],
  [17, 10, 1, [2, 3], [2, 2], { auto_pad: 'VALID' }],
];

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const [channels, outputs, group, sizes, kernel, rest] = WINDOWS[i % WINDOWS.length] as Window;
  const wType = pick(['uint8', 'int8'] as const);
  const xZero = chance(0.7) ? ints('uint8', [], 0, 255) : null;
  const least = wType === 'int8' ? -128 : 0;
  const wZero = xZero && chance(0.6) ? ints(wType, [], least, least + 255) : null;
  const x = ints('uint8', [int(1, 2), channels, ...sizes], 0, 255);
  const w = ints(wType, [outputs, channels / group, ...kernel], least, least + 255);
  return {
    label: `[${x.dims}] by ${wType} [${w.dims}] in ${group} ${JSON.stringify(rest)}`,
    attributes: { ...rest, group, ...(chance(0.5) && { kernel_shape: kernel }) },
    inputs: [x, w, xZero, wZero].slice(0, wZero ? 4 : xZero ? 3 : 2),
    constants: chance(0.5) ? [1] : [],
  };
});

export const operator: OperatorCases = {
  op: 'ConvInteger',
  domain: '',
  tolerance: { relative: 0, absolute: 0 },
  cases,
};
