import { type Case, draw, type OperatorCases } from '../case.js';
import { allBut, type Byte, bytes, EQUAL, levels } from '../quantized.js';

const d = draw(15);

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const type = d.pick<Byte>(['uint8', 'int8']);
  const dims = Array.from({ length: d.int(1, 4) }, () => d.int(1, 4));
  const axis = d.int(-dims.length, dims.length - 1);
  const result = levels(d, type, { optional: false });
  const parts = Array.from({ length: d.int(1, 4) }, (_, k) => {
    const own = dims.map((size, j) =>
      j === (axis + dims.length) % dims.length ? (i === 0 && k > 0 ? 0 : d.int(1, 4)) : size,
    );
    return [bytes(d, type, own), ...(d.chance(0.3) ? result : levels(d, type, { optional: false }))];
  });
  const inputs = [...result, ...parts.flat()];
  const tensors = parts.map((_, k) => 2 + 3 * k);
  return {
    label: `${i}: ${type} ${parts.length} of [${dims}] along ${axis}`,
    attributes: { axis },
    inputs,
    constants: i % 3 ? allBut(inputs, ...tensors.slice(0, i % 3)) : [],
  };
});

export const operator: OperatorCases = { op: 'QLinearConcat', tolerance: EQUAL, cases };
