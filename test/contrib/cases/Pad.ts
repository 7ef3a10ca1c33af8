import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, ints, int } = draw(5);

const MODES = ['constant', 'reflect', 'edge'];

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const dims = Array.from({ length: int(1, 4) }, () => int(4, 5));
  const mode = MODES[i % 3] ?? '';
  const row = i % 4 === 3 ? [1, 2 * dims.length] : [2 * dims.length];
  const value = tensor('float32', i % 2 ? [] : [1], [0.5 * i]);
  return {
    label: `${mode} [${dims}]`,
    inputs: i % 5 < 2 ? [floats(dims), ints('int64', row, -1, 2)] : [floats(dims), ints('int64', row, 0, 2), value],
    attributes: i === 0 ? {} : { mode },
    constants: i % 2 ? [1, 2] : [],
  };
});

export const operator: OperatorCases = { op: 'Pad', tolerance: { relative: 0, absolute: 0 }, cases };
