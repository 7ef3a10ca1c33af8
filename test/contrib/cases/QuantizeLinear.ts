import { tensor } from '../../../src/builder/index.js';
import { type Case, draw, type OperatorCases } from '../case.js';
import { EQUAL, scale } from '../quantized.js';

const d = draw(21);

/** onnxruntime-node has no tensors of 4-bit integers for its caller. */
const RANGES = {
  uint8: [0, 255],
  int8: [-128, 127],
  uint16: [0, 65535],
  int16: [-32768, 32767],
} as const;

/** Of 65,536 levels powers of two: by others, some quotients in single precision are half-way where those in double are not. */
const levelsFor = (steps: number, dims: readonly number[]) =>
  steps > 255
    ? tensor('float32', dims, dims.length ? Array(dims[0]).fill(2 ** -14) : [2 ** -14])
    : scale(d, 4 / steps, dims);

const cases = Array.from({ length: 32 }, (_, i): Case => {
  const type = d.pick(Object.keys(RANGES) as (keyof typeof RANGES)[]);
  const [from, to] = RANGES[type];
  const dims = i === 0 ? [0, 3] : Array.from({ length: d.int(1, 4) }, () => d.int(1, 5));
  const axis = d.int(-dims.length, dims.length - 1);
  const perAxis = i > 0 && d.chance(0.5);
  const own = perAxis ? [dims.at(axis) as number] : [];
  const zero = type !== 'uint8' || d.chance(0.7) ? d.ints(type, own, from, to) : null;
  const inputs = [d.floats(dims, 1, 0), levelsFor(to - from, own), zero];
  return {
    label: `${i}: ${type} [${dims}] ${perAxis ? `along ${axis}` : 'as a whole'}`,
    attributes: perAxis ? { axis } : {},
    inputs,
    constants: i % 2 ? [1, 2] : [],
  };
});

export const operator: OperatorCases = { op: 'QuantizeLinear', tolerance: EQUAL, cases };
