import type { Place } from '../../../../bindings/place.js';
import { collapse } from '../../../../bindings/space.js';
import { ByteArithmetic, ByteOperation } from '../../../../build/quantized-kernels.js';
import { broadcastStrides } from '../../../graph/dims.js';
import { isSame } from '../../../graph/guards.js';
import { ceilDivide, product, type Size } from '../../../graph/sizes.js';
import { type ByteArithmeticParameters, byteArithmetic } from '../../../primitives/byte-arithmetic.js';
import { type Lowering, lowers } from '../lowering.js';

const OPERATIONS: Readonly<Record<string, ByteOperation>> = { Sum: ByteOperation.Sum, Product: ByteOperation.Product };

/** The range of each result type, bounds included. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = { int8: [-128, 127], uint8: [0, 255] };

function lowerArithmetic(c: Lowering, p: ByteArithmeticParameters): undefined {
  const all = c.outputShape(0);
  const count = product(all);
  if (isSame(count, 0)) return;
  const { dims, strides } = collapse(
    all,
    [0, 1].map((i) => broadcastStrides(c.shape(i), all)),
  );
  const table = dims.flatMap((size, d) => [size, ...strides.map((own) => own[d] as Size)]);
  const [least, largest] = RANGES[c.outputElement(0)] as readonly [number, number];
  const [a, b, y] = [c.input(0), c.input(1), c.output(0)];
  const params = {
    ...{ a, b, y, table: c.table(table), rank: dims.length, count },
    operation: OPERATIONS[p.operation] as ByteOperation,
    ...{
      aSigned: Number(c.element(0) === 'int8'),
      bSigned: Number(c.element(1) === 'int8'),
      ySigned: Number(least < 0),
    },
    ...{ aZero: p.a_zero, bZero: p.b_zero, zero: p.zero, aScale: p.a_scale, bScale: p.b_scale },
    ...{ offset: p.offset, factor: p.factor, step: p.step },
    ...{ low: Math.max(p.low, least), high: Math.min(p.high, largest) },
  };
  const inStep = [a, b].filter((_, i) => isSame(product(c.shape(i)), count));
  c.launch('byteArithmetic', params, ceilDivide(count, ByteArithmetic.Tile), {
    writes: [y],
    inPlace: inStep.map((place): readonly [Place, Place] => [y, place]),
  });
}

export const byteArithmetics = lowers(byteArithmetic, lowerArithmetic);
