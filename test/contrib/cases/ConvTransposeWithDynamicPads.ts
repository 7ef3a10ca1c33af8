import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, ints, int, pick } = draw(16);

// Without pads onnxruntime ends with a segmentation fault.
const cases = Array.from({ length: 24 }, (_, i): Case => {
  const rank = i % 9 === 8 ? 1 : 2;
  const group = pick([1, 1, 2]);
  const [n, c, m] = [int(1, 2), group * int(1, 3), int(1, 3)];
  const kernel = Array.from({ length: rank }, () => int(2, 3));
  const strides = kernel.map(() => int(1, 2));
  const x = floats([n, c, ...kernel.map(() => int(2, 4))]);
  const w = floats([c, m, ...kernel]);
  const pads = ints('int64', [2 * rank], 0, 1);
  const bias = floats([m * group]);
  return {
    label: `[${x.dims}] by [${w.dims}]`,
    inputs: i % 2 ? [x, w, pads, bias] : [x, w, pads],
    attributes: {
      ...(i % 3 && { kernel_shape: kernel }),
      ...(i % 2 && { strides }),
      ...(group > 1 && { group }),
      ...(i % 5 === 4 && { dilations: kernel.map(() => int(1, 2)) }),
      ...(i % 6 === 5 && { output_padding: strides.map((s) => s - 1) }),
    },
    constants: i % 2 ? [1, 2] : [1],
  };
});

export const operator: OperatorCases = { op: 'ConvTransposeWithDynamicPads', cases };
