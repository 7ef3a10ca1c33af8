import { type Case, draw, type OperatorCases } from '../case.js';
import { type Byte, bytes, EQUAL, scale, zero } from '../quantized.js';

const d = draw(26);

const cases = Array.from({ length: 36 }, (_, i): Case => {
  const [a, b] = d.pick<readonly [Byte, Byte]>([
    ['uint8', 'uint8'],
    ['uint8', 'int8'],
    ['int8', 'int8'],
  ]);
  const rank = d.int(1, 3);
  const each = (f: () => number) => Array.from({ length: rank }, f);
  const group = d.pick([1, 1, 2, 3]);
  const [n, within, out] = [d.int(1, 2), d.int(1, 3), group * d.int(1, 3)];
  const spatial = each(() => d.int(3, 8 - rank));
  const kernel = each(() => d.int(1, 3));
  const last = d.int(0, 1);
  const columns = d.chance(0.5) ? [out] : [];
  const pads = kernel.map((size) => d.int(0, size - 1));
  const auto = d.pick(['NOTSET', 'NOTSET', 'SAME_UPPER', 'VALID']);
  const inputs = [
    bytes(d, a, last ? [n, ...spatial, group * within] : [n, group * within, ...spatial]),
    scale(d),
    zero(d, a),
    bytes(d, b, [out, within, ...kernel]),
    scale(d, 0.125, columns),
    b === 'int8' && a === 'int8' ? d.ints(b, columns, 0, 0) : d.ints(b, columns, 3, 3),
    scale(d, 4),
    zero(d, a),
    d.chance(0.5) ? d.ints('int32', [out], -20000, 20000) : null,
  ];
  return {
    label: `${i}: ${a} [${inputs[0]?.dims}] by ${b} [${inputs[3]?.dims}] in ${group}, channels ${last ? 'last' : 'first'}`,
    attributes: {
      group,
      channels_last: last,
      ...(auto === 'NOTSET' ? { pads: [...pads, ...pads] } : { auto_pad: auto }),
      ...(d.chance(0.3) && auto === 'NOTSET' && { strides: each(() => d.int(1, 2)) }),
      ...(d.chance(0.3) && auto === 'NOTSET' && Math.min(...spatial) > 4 && { dilations: each(() => d.int(1, 2)) }),
      ...(d.chance(0.3) && { kernel_shape: kernel }),
    },
    inputs,
    constants: [[], [3, 5], [1, 2, 3, 4, 5, 6, 7, 8]][i % 3] as number[],
  };
});

export const operator: OperatorCases = { op: 'QLinearConv', tolerance: EQUAL, cases };
