import { float } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int, pick } = draw(16);

const cases = Array.from({ length: 20 }, (_, i): Case => {
  const dims = Array.from({ length: int(1, 4) }, () => int(1, 7));
  if (i === 0) dims[0] = 0;
  const alpha = pick([undefined, 1, -1.5, 0.3]);
  return {
    label: `[${dims}], alpha ${alpha}`,
    attributes: alpha === undefined ? {} : { alpha: float(alpha) },
    inputs: [floats(dims, pick([0.1, 1, 5]))],
  };
});

export const operator: OperatorCases = { op: 'QuickGelu', cases };
