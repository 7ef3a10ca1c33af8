import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int } = draw(3);

const MODES = ['bilinear', 'nearest', 'bicubic'];
const PADDINGS = ['zeros', 'border', 'reflection'];

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const [n, c, h, w] = [int(1, 2), int(1, 3), int(1, 6), int(1, 6)];
  const attributes = {
    mode: MODES[i % 3] ?? '',
    padding_mode: PADDINGS[((i / 3) % 3) | 0] ?? '',
    align_corners: i % 2,
  };
  return {
    label: `${Object.values(attributes)} [${[n, c, h, w]}]`,
    inputs: [floats([n, c, h, w]), floats([n, int(1, 4), int(1, 4), 2], 0.7)],
    attributes: i === 0 ? {} : attributes,
    constants: i % 5 === 4 ? [1] : [],
  };
});

export const operator: OperatorCases = { op: 'GridSample', cases };
