import { type Case, type Draw, draw, type OperatorCases } from '../case.js';
import { bytes } from '../quantized.js';

const d = draw(28);

const indicesFor = (own: Draw, size: number) =>
  own.ints(own.pick(['int32', 'int64']), own.pick([[], [3], [2, 2], [1]]), -size, size - 1);

/** Codes of `bits` in bytes, along the last axis; rows are taken. */
function ofBytes(i: number): Case {
  const bits = d.pick([2, 4, 4, 8]);
  const [rows, more] = [d.int(1, 5), d.chance(0.3) ? [d.int(1, 2)] : []];
  const block_size = d.pick([16, 32]);
  const size = d.int(1, 5) * 8;
  const blocks = Math.ceil(size / block_size);
  const type = d.pick(['float32', 'float32', 'float16'] as const);
  const inputs = [
    bytes(d, 'uint8', [rows, ...more, (size * bits) / 8]),
    indicesFor(d, rows),
    d.floats([rows, ...more, blocks], 0.2, 1, type),
    d.chance(0.5) ? bytes(d, 'uint8', [rows, ...more, Math.ceil((blocks * bits) / 8)]) : null,
  ];
  return {
    label: `${i}: ${bits} bits in [${inputs[0]?.dims}], block ${block_size}, ${type}`,
    attributes: { bits, block_size, gather_axis: 0, quantize_axis: d.pick([-1, 1 + more.length]) },
    inputs,
    constants: i % 3 ? [0, 2, 3] : [0],
  };
}

/** 4-bit integers along any axis. */
function ofIntegers(i: number): Case {
  const type = d.pick(['int4', 'uint4'] as const);
  const own = Array.from({ length: d.int(2, 3) }, () => d.int(1, 3));
  const [from, along] = [d.int(0, own.length - 1), d.int(0, own.length - 1)];
  const dims = own.map((size, axis) => (axis === along ? d.int(10, 20) : size));
  const scales = dims.map((size, axis) => (axis === along ? Math.ceil(size / 16) : size));
  const [least, largest] = type === 'int4' ? [-8, 7] : [0, 15];
  const inputs = [
    d.ints(type, dims, least, largest),
    indicesFor(d, dims[from] as number),
    d.floats(scales, 0.2, 1, d.pick(['float32', 'float16'])),
    d.chance(0.5) ? d.ints(type, scales, least, largest) : null,
  ];
  return {
    label: `${i}: ${type} [${dims}] from ${from}, blocks along ${along}`,
    attributes: { block_size: 16, gather_axis: from, quantize_axis: along },
    inputs,
    constants: [0, 2, 3],
  };
}

const cases = Array.from({ length: 40 }, (_, i) => (i % 2 ? ofIntegers(i) : ofBytes(i)));

/** Some results are in halves, of 11 bits; the reference rounds once where kernels round twice. */
const HALVES = { relative: 2 ** -10, absolute: 1e-6 };

export const operator: OperatorCases = { op: 'GatherBlockQuantized', tolerance: HALVES, cases };
