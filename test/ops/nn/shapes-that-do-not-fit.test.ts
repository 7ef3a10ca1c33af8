import { suite } from 'uvu';
import { type AttributeInputs, modelBuilder, tensor } from '../../../src/builder/index.js';
import type { ElementType, HostValue } from '../../../src/index.js';
import { expectRejection } from '../../expect-error.js';
import { open } from '../../session/run-model.js';

const test = suite('shapes that the specification does not let broadcast');

interface Case {
  readonly op: string;
  readonly opset?: number;
  readonly dims: readonly (readonly number[])[];
  readonly attributes?: AttributeInputs;
  /** Element types other than float32, by input. */
  readonly types?: Readonly<Record<number, ElementType>>;
}

const CASES: readonly Case[] = [
  { op: 'BatchNormalization', dims: [[5, 1], [5], [5], [5], [5]] },
  { op: 'BatchNormalization', dims: [[5, 3, 2], [3], [1], [3], [3]] },
  { op: 'InstanceNormalization', dims: [[2, 1, 4], [4], [4]] },
  { op: 'InstanceNormalization', dims: [[2, 3, 4], [3], [1]] },
  { op: 'GroupNormalization', dims: [[2, 4, 4], [4], [2]], attributes: { num_groups: 2 } },
  { op: 'LayerNormalization', dims: [[1, 4], [3, 4], [4]] },
  { op: 'LayerNormalization', dims: [[2, 4], [4], [5, 1, 4]] },
  {
    op: 'RMSNormalization',
    opset: 23,
    dims: [
      [1, 4],
      [3, 4],
    ],
  },
  {
    op: 'Gemm',
    dims: [
      [1, 4],
      [4, 2],
      [3, 2],
    ],
  },
  {
    op: 'Gemm',
    dims: [
      [3, 4],
      [4, 2],
      [1, 3, 2],
    ],
  },
  { op: 'Conv', dims: [[1, 2, 4, 4], [3, 2, 3, 3], [1]] },
  { op: 'ConvTranspose', dims: [[1, 2, 4, 4], [2, 3, 3, 3], [1]] },
  {
    op: 'GridSample',
    dims: [
      [2, 1, 3, 3],
      [1, 2, 2, 2],
    ],
  },
  { op: 'RoiAlign', dims: [[1, 1, 4, 4], [2, 4], [1]], types: { 2: 'int64' } },
  { op: 'NegativeLogLikelihoodLoss', dims: [[3, 5], [1]], types: { 1: 'int64' } },
];

/** What is declared as symbols comes to light when it is fed. */
const CLOSED_ONLY: readonly Case[] = [
  {
    op: 'PRelu',
    dims: [
      [1, 4],
      [3, 4],
    ],
  },
  { op: 'PRelu', dims: [[4], [3, 4]] },
  { op: 'Clip', dims: [[2, 3], [3], []] },
];

function rejected({ op, opset = 21, dims, attributes = {}, types = {} }: Case, symbolic: boolean): Promise<void> {
  const b = modelBuilder({ opset });
  const feeds: Record<string, HostValue> = {};
  const inputs = dims.map((own, i) => {
    const type = types[i] ?? 'float32';
    const count = own.reduce((n, d) => n * d, 1);
    feeds[`x${i}`] = tensor(type, own, new Array<number>(count).fill(type === 'int64' ? 0 : 1));
    return b.input(`x${i}`, type, symbolic ? own.map((_, axis) => `d${i}_${axis}`) : own);
  });
  b.output('y', b.op(op, inputs, attributes));
  const run = async () => (await open(b.toBytes())).run(feeds);
  return expectRejection('INVALID_SHAPE', /\[/, run());
}

const say = ({ op, dims }: Case) => `${op} of ${dims.map((own) => `[${own}]`).join(', ')}`;

for (const wrong of [...CASES, ...CLOSED_ONLY]) test(say(wrong), () => rejected(wrong, false));
for (const wrong of CASES) test(`${say(wrong)}, declared with symbols`, () => rejected(wrong, true));

test('a window wider than its row, rounded up, says so', async () => {
  const b = modelBuilder({ opset: 22 });
  const pool = { kernel_shape: [1, 4], strides: [1, 1], ceil_mode: 1 };
  b.output('y', b.op('AveragePool', [b.input('x', 'float32', [1, 1, 'h', 2])], pool));
  await expectRejection(
    'INVALID_SHAPE',
    /AveragePool.*a window of 4 does not fit into 2 \+ 0 of padding/,
    open(b.toBytes()),
  );
});

test.run();
