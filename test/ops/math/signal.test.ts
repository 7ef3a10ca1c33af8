import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AttributeInputs, tensor } from '../../../src/builder/index.js';
import { complexes, fourierTransform, swapped } from '../../../src/ops/onnx/math/fft.js';
import { ELEMENTS, type ElementType } from '../../../src/tensor/element-types.js';
import { numbersOf, tensorOf } from '../../../src/tensor/numbers.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { randomFloats } from '../../assembly/kernels.js';
import { expectRejection } from '../../expect-error.js';
import { int } from '../../values.js';
import { runNode } from '../one-node.js';

const test = suite('signal operators');

/** 2⁻⁴⁵ of the largest value for each type's unit in the last place. */
const BOUNDS: Partial<Record<ElementType, number>> = {
  float64: 2 ** -45,
  float32: 2 ** -23,
  float16: 2 ** -10,
  bfloat16: 2 ** -7,
};

function assertClose(y: TensorValue, dims: readonly number[], expected: readonly number[]): void {
  assert.equal(y.dims, dims);
  const bound = (BOUNDS[y.type] as number) * Math.max(...expected.map(Math.abs));
  Array.from(numbersOf(y)).forEach((value, i) => {
    assert.ok(Math.abs(value - (expected[i] as number)) <= bound, `${value} instead of ${expected[i]} at ${i}`);
  });
}

const LENGTHS = [1, 2, 3, 4, 5, 8, 12, 16, 30, 61, 64, 67, 105, 128, 134, 257, 400, 480, 509];

test('the transform of any length is the sum of products, and its inverse the signal', () => {
  for (const n of LENGTHS) {
    const [re, im] = [Float64Array.from(randomFloats(n, n)), Float64Array.from(randomFloats(n, n + 1))];
    const x = { re: re.slice(), im: im.slice() };
    fourierTransform(n)(x);
    const direct = complexes(n);
    for (let k = 0; k < n; k++) {
      for (let j = 0; j < n; j++) {
        const angle = (-2 * Math.PI * ((j * k) % n)) / n;
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        direct.re[k] = (direct.re[k] as number) + (re[j] as number) * c - (im[j] as number) * s;
        direct.im[k] = (direct.im[k] as number) + (re[j] as number) * s + (im[j] as number) * c;
      }
    }
    const distance = Math.hypot(
      ...x.re.map((v, k) => v - (direct.re[k] as number)),
      ...x.im.map((v, k) => v - (direct.im[k] as number)),
    );
    assert.ok(distance <= 1e-14 * Math.hypot(...direct.re, ...direct.im), `${n}: ${distance}`);
    fourierTransform(n)(swapped(x));
    const back = Math.max(...x.re.map((v, k) => Math.abs(v / n - (re[k] as number))));
    assert.ok(back <= 1e-15 * Math.max(4, Math.log2(n)), `${n}: back by ${back}`);
  }
});

const real = [1, -2, 3.5, 0, 5, -1.25, 0.5, 4, -3, 2, 1, 7];
const complex = [1, 2, -3, 0.5, 2, 0, 4, -1];
const RFFT = [
  7.5, 0, -0.9045084971874737, 4.600147231042419, -0.3454915028125263, 7.4431945730803495, 4.5, 0, 2.8541019662496847,
  0.08575671257690543, -3.8541019662496847, -6.5186383383531865,
];
const FFT_AXIS_0 = [
  1.5, 0, 2, 0, 0.5, 0, 2, 0, 6, 0, 5.75, 0, 0.75, -0.4330127018922193, -4, -3.4641016151377544, 5, 2.598076211353316,
  -1, -1.7320508075688772, 4.5, -0.8660254037844386, -4.75, -6.06217782649107, 0.75, 0.4330127018922193, -4,
  3.4641016151377544, 5, -2.598076211353316, -1, 1.7320508075688772, 4.5, 0.8660254037844386, -4.75, 6.06217782649107,
];
const IFFT = [1, 0.375, -0.625, -1.25, 0.5, 0.625, 0.125, 2.25];

interface Dft {
  readonly name: string;
  readonly x: readonly number[];
  readonly dims: readonly number[];
  readonly length?: number;
  readonly axis?: number;
  readonly attributes?: AttributeInputs;
  readonly y: readonly number[];
  readonly result: readonly number[];
}

/** numpy.fft. */
const transforms: Dft[] = [
  {
    name: 'rfft, cut to 5',
    x: real,
    dims: [2, 6, 1],
    length: 5,
    attributes: { onesided: 1 },
    y: RFFT,
    result: [2, 3, 2],
  },
  {
    name: 'fft along axis 0, padded to 3',
    x: real,
    dims: [2, 6, 1],
    length: 3,
    axis: 0,
    y: FFT_AXIS_0,
    result: [3, 6, 2],
  },
  { name: 'ifft', x: complex, dims: [1, 4, 2], attributes: { inverse: 1 }, y: IFFT, result: [1, 4, 2] },
  {
    name: 'irfft',
    x: complex,
    dims: [1, 4, 2],
    attributes: { inverse: 1, onesided: 1 },
    y: [0.5, -1.4776709006307396, 0.8556624327025936, 1.1666666666666663, 1.1443375672974063, -1.1889957660359267],
    result: [1, 6, 1],
  },
  {
    name: 'irfft to 5',
    x: complex,
    dims: [1, 4, 2],
    length: 5,
    attributes: { inverse: 1, onesided: 1 },
    y: [-0.2, -1.0082452920089258, 1.3004769382914003, 1.5355910392083896, -0.6278226854908642],
    result: [1, 5, 1],
  },
  {
    name: 'irfft to 10',
    x: complex,
    dims: [1, 4, 2],
    length: 10,
    attributes: { inverse: 1, onesided: 1 },
    y: [
      0.7, -0.377584216345164, -1.2688932919629154, 0.39635429228693747, 1.0876633679046888, 0.3, 0.824797811845122,
      0.8216796964629576, -0.8435678877868954, -0.6404497724047309,
    ],
    result: [1, 10, 1],
  },
];

for (const { name, x, dims, length, axis = 1, attributes = {}, y, result } of transforms)
  for (const type of ['float64', 'float32', 'float16', 'bfloat16'] as const)
    test(`DFT: ${name}, ${type}`, async () => {
      const signal = tensorOf(type, dims, x);
      const points = length === undefined ? null : tensor('int64', [], [length]);
      const inputs = [signal, points, tensor('int64', [], [axis])];
      assertClose((await runNode('DFT', { inputs, attributes }))[0] as TensorValue, result, y);
      const older = { inputs: points ? [signal, points] : [signal], attributes: { ...attributes, axis }, opset: 17 };
      assertClose((await runNode('DFT', older))[0] as TensorValue, result, y);
    });

test('DFT refuses what it cannot transform', async () => {
  const of = (dims: readonly number[], attributes: AttributeInputs = {}, axis = 1) =>
    runNode('DFT', { inputs: [tensor('float32', dims, complex), null, tensor('int64', [], [axis])], attributes });
  await expectRejection('INVALID_SHAPE', /must be \[…, 1\]/, of([1, 8]));
  await expectRejection('INVALID_SHAPE', /real signals/, of([1, 4, 2], { onesided: 1 }));
  await expectRejection('INVALID_ATTRIBUTE', /axis 2 is the axis of/, of([1, 4, 2], {}, 2));
});

const signal = tensor('float32', [1, 8, 1], [1, -2, 3.5, 0, 5, -1.25, 0.5, 4]);

test('STFT of a real signal under a window', async () => {
  const window = tensor('float32', [4], [0.25, 1, 1, 0.25]);
  const expected = [1.75, 0, -3.25, 2, 5.75, 0, 5.5625, 0, -4.125, -0.3125, 6.1875, 0, 1.5, 0, 0.75, 2.25, 2, 0];
  for (const dims of [
    [1, 8, 1],
    [1, 8],
  ]) {
    const inputs = [{ ...signal, dims }, int(2), window];
    const [y] = await runNode('STFT', { inputs });
    assertClose(y as TensorValue, [1, 3, 3, 2], expected);
  }
});

test('STFT of a complex signal', async () => {
  const { data } = signal;
  const pairs = Array.from(data as Float32Array, (x, i) => [x, data[7 - i] as number]).flat();
  const inputs = [tensor('float32', [1, 8, 2], pairs), int(3), null, int(3)];
  const [y] = await runNode('STFT', { inputs, attributes: { onesided: 0 } });
  assertClose(
    y as TensorValue,
    [1, 2, 3, 2],
    [
      2.5, 3.25, 1.7655444566227676, 9.138139720814412, -1.2655444566227676, -0.3881397208144124, 3.75, 8.5,
      -4.906088913245535, -2.1626587736527414, 1.1560889132455352, 8.66265877365274,
    ],
  );
  await expectRejection('INVALID_SHAPE', /real signals/, runNode('STFT', { inputs }));
});

/** scipy.signal.windows, of five values periodic and of four symmetric. */
const windows: Record<string, readonly [periodic: number[], symmetric: number[]]> = {
  HannWindow: [
    [0, 0.3454915028125263, 0.9045084971874737, 0.9045084971874737, 0.3454915028125263],
    [0, 0.75, 0.75, 0],
  ],
  HammingWindow: [
    [0.08695652173913038, 0.4024052851766544, 0.9128121061276935, 0.9128121061276935, 0.4024052851766544],
    [0.08695652173913038, 0.7717391304347825, 0.7717391304347825, 0.08695652173913038],
  ],
  BlackmanWindow: [
    [0, 0.2007701432625305, 0.8492298567374695, 0.8492298567374695, 0.2007701432625305],
    [0, 0.63, 0.63, 0],
  ],
};

for (const [op, forms] of Object.entries(windows))
  test(op, async () => {
    for (const [i, expected] of forms.entries())
      for (const type of ['float64', 'float32', 'float16', 'bfloat16'] as const) {
        const attributes = { periodic: 1 - i, output_datatype: ELEMENTS[type].onnx };
        const [y] = await runNode(op, { inputs: [int(expected.length)], attributes });
        assertClose(y as TensorValue, [expected.length], expected);
      }
    assert.equal((await runNode(op, { inputs: [int(0)] }))[0]?.dims, [0]);
  });

test('MelWeightMatrix is triangles from one edge to the next but one', async () => {
  const inputs = [int(3), int(16), int(8192), tensor('float32', [], [0]), tensor('float32', [], [4096])];
  const [y] = (await runNode('MelWeightMatrix', { inputs })) as [TensorValue];
  assertClose(
    y,
    [9, 3],
    [
      1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0,
      0.0, 0.0, 0.0, 0.0,
    ],
  );
  const beyond = inputs.with(4, tensor('float32', [], [9000]));
  await expectRejection('INVALID_VALUE', /outside the 9 bins/, runNode('MelWeightMatrix', { inputs: beyond }));
});

test.run();
