import { suite } from 'uvu';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { assertClose, numbers, open } from '../../session/run-model.js';

const test = suite('the early versions of Resize');

const LEVELS = ['disabled', 'all'] as const;
const SCALES = [1, 1, 2, 2.5];
const FROM = [1, 2, 3, 4] as const;
const TO = [1, 2, 6, 10] as const;

/** Asymmetric coordinates: the pixel at or before, or a blend with the next. */
function expected(x: TensorValue, mode: string): TensorValue {
  const at = (c: number, row: number, column: number) =>
    Number(x.data[(c * FROM[2] + Math.min(row, FROM[2] - 1)) * FROM[3] + Math.min(column, FROM[3] - 1)]);
  const y = Array.from({ length: TO[1] * TO[2] * TO[3] }, (_, i) => {
    const [c, row, column] = [Math.floor(i / 60), (Math.floor(i / 10) % 6) / 2, (i % 10) / 2.5];
    const [r, k] = [Math.floor(row), Math.floor(column)];
    if (mode === 'nearest') return at(c, r, k);
    const [v, h] = [row - r, column - k];
    const upper = at(c, r, k) * (1 - h) + at(c, r, k + 1) * h;
    const lower = at(c, r + 1, k) * (1 - h) + at(c, r + 1, k + 1) * h;
    return upper * (1 - v) + lower * v;
  });
  return tensor(x.type, TO, y);
}

/** Version, operator, whether the scales are an input. */
const VERSIONS: [opset: number, op: string, input: boolean][] = [
  [7, 'Upsample', false],
  [9, 'Upsample', true],
  [10, 'Resize', true],
];

const bytes = tensor(
  'uint8',
  FROM,
  Array.from({ length: 24 }, (_, i) => (i * 37) % 256),
);

for (const [opset, op, input] of VERSIONS) {
  for (const [mode, type, x] of [
    ['nearest', 'float32', numbers(FROM)],
    ['linear', 'float32', numbers(FROM)],
    ['nearest', 'uint8', bytes],
  ] as [string, ElementType, TensorValue][]) {
    test(`${op} ${opset}, ${mode}, ${type}`, async () => {
      const b = modelBuilder({ opset });
      const value = b.input('x', type, FROM);
      const scales = input ? [b.constant('scales', tensor('float32', [4], SCALES))] : [];
      const attributes = input ? { mode } : { mode, scales: SCALES };
      b.output('y', b.op(op, [value, ...scales], attributes as never), type, TO);
      for (const graphOptimizationLevel of LEVELS) {
        const session = await open(b.toBytes(), { graphOptimizationLevel });
        assertClose(await session.run({ x }), { y: expected(x, mode) }, 1e-6, graphOptimizationLevel);
      }
    });
  }
}

test.run();
