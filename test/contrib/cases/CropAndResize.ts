import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, ints, int, unit } = draw(36);

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const [n, c, h, w] = [int(1, 2), int(1, 3), int(2, 6), int(2, 6)];
  const rois = int(1, 3);
  const reach = i % 3 === 2 ? 1.4 : 1;
  const boxes = Array.from({ length: 4 * rois }, () => reach * unit() - (reach - 1) / 2);
  return {
    label: `[${[n, c, h, w]}] ${rois}`,
    inputs: [
      floats([n, c, h, w]),
      tensor('float32', [rois, 4], boxes),
      ints('int32', [rois], 0, n - 1),
      ints('int32', [2], 1, 4),
    ],
    attributes: {
      ...(i % 2 && { mode: i % 4 === 1 ? 'nearest' : 'bilinear' }),
      ...(i % 5 === 4 && { extrapolation_value: { type: 'float', value: -3 } as const }),
    },
    constants: i % 3 ? [3] : [],
  };
});

export const operator: OperatorCases = { op: 'CropAndResize', cases };
