import { type Case, draw, type OperatorCases } from '../case.js';
import { scale } from '../quantized.js';

const d = draw(22);

/** Those of 4 bits are constants: onnxruntime-node takes none from its caller. */
const RANGES = {
  uint8: [0, 255],
  int8: [-128, 127],
  uint16: [0, 65535],
  int16: [-32768, 32767],
  uint4: [0, 15],
  int4: [-8, 7],
  int32: [-1e9, 1e9],
} as const;

const cases = Array.from({ length: 32 }, (_, i): Case => {
  const type = d.pick(Object.keys(RANGES) as (keyof typeof RANGES)[]);
  const [from, to] = RANGES[type];
  const dims = i === 0 ? [0, 3] : Array.from({ length: d.int(1, 4) }, () => d.int(1, 5));
  const axis = d.int(-dims.length, dims.length - 1);
  const perAxis = i > 0 && d.chance(0.5);
  const own = perAxis ? [dims.at(axis) as number] : [];
  const zero = d.chance(0.7) ? d.ints(type, own, type === 'int32' ? 0 : from, type === 'int32' ? 0 : to) : null;
  return {
    label: `${i}: ${type} [${dims}] ${perAxis ? `along ${axis}` : 'as a whole'}`,
    attributes: perAxis ? { axis } : {},
    inputs: [d.ints(type, dims, from, to), scale(d, 0.25, own), zero],
    constants: type.endsWith('int4') ? [0, 1, 2] : i % 2 ? [1, 2] : i % 4 ? [0, 1, 2] : [],
  };
});

export const operator: OperatorCases = { op: 'DequantizeLinear', cases };
