import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, int } = draw(25);

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const dims = [int(1, 2), int(1, 3), int(5, 7), int(5, 7)];
  const border = Array.from({ length: 4 }, () => int(0, 2));
  return {
    label: `[${dims}] by ${border}`,
    inputs: [floats(dims)],
    attributes: { border, ...(i % 2 && { scale: [int(1, 3), int(1, 3)] }) },
    constants: i % 4 === 3 ? [0] : [],
  };
});

export const operator: OperatorCases = {
  op: 'Crop',
  domain: '',
  opset: 9,
  tolerance: { relative: 0, absolute: 0 },
  cases,
};
