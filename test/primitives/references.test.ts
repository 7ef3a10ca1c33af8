import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { allOperators } from '../../src/schema/registry.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { seedOf } from '../fuzz/files/random.js';
import { open } from '../session/run-model.js';
import { byTier, sampled } from '../tier.js';
import { CASES, type Case } from './cases.js';
import { randomOf } from './draw.js';
import { evaluate, namedIn, widened } from './host.js';

const test = sampled(suite('references of primitives'), { quick: 1 / 4, ci: 5 / 8 });

const TRIALS = byTier({ quick: 24, ci: 12, all: 24 });

/** Of the largest number: what kernels, which sum in float32, may differ by. Winograd's did by 4.6e-6 in 300 trials, all others by less than 4e-6. */
const KERNEL_BOUND = 1e-5;
/** Two ways through double precision. */
const DOUBLE_BOUND = 1e-12;

/** By kernels: fed, or what follows input 0 constant. */
async function byKernels(op: string, { inputs, attributes, outputs = 1, constants = [] }: Case, isConstant: boolean) {
  const b = modelBuilder({ opset: 27, opsets: { sardonyx: 1 } });
  const isFed = (i: number) => !constants.includes(i) && !(isConstant && i > 0);
  const values = inputs.map((x, i): Value | null => {
    if (!x) return null;
    return isFed(i) ? b.input(`x${i}`, x.type, x.dims) : b.constant(`x${i}`, x);
  });
  const { domain, name } = namedIn(op);
  const names = Array.from({ length: outputs }, (_, i) => `y${i}`);
  b.node(name, values, attributes, { domain, outputs: names }).forEach((value, i) => {
    b.output(`y${i}`, value as Value);
  });
  const session = await open(b.toBytes(), { graphOptimizationLevel: 'disabled', enableProfiling: true });
  const feeds = Object.fromEntries(inputs.flatMap((x, i) => (x && isFed(i) ? [[`x${i}`, x]] : [])));
  const results = await session.run(feeds);
  const onHost = session.profile.filter(({ kernel }) => kernel === 'host');
  await session.release();
  assert.equal(onHost, [], 'computed on the host');
  return names.map((y) => results[y] as TensorValue);
}

function assertNear(
  actual: readonly TensorValue[],
  expected: readonly TensorValue[],
  bound: number,
  what: string,
  least = 1e-3,
): void {
  expected.forEach((e, output) => {
    const a = actual[output] as TensorValue;
    assert.is(`[${a.dims}]`, `[${e.dims}]`, `${what}: output ${output}`);
    const [x, y] = [Array.from(a.data as ArrayLike<number>), Array.from(e.data as ArrayLike<number>)];
    const largest = y.reduce((most, value) => Math.max(most, Number.isFinite(value) ? Math.abs(value) : 0), least);
    y.forEach((value, i) => {
      const isNear = Object.is(x[i], value) || Math.abs((x[i] as number) - value) <= bound * largest;
      assert.ok(isNear, `${what}: output ${output} has ${x[i]} at ${i}, not ${value}`);
    });
  });
}

for (const [op, kinds] of Object.entries(CASES)) {
  for (const draw of kinds) {
    test(draw.name ? `${op}: ${draw.name}` : op, async () => {
      for (let trial = 0; trial < TRIALS; trial++) {
        const own = draw(randomOf(seedOf(trial, op.length)));
        const { inputs, attributes, outputs = 1, meant = (all) => all, magnitude, bound = KERNEL_BOUND, onnx } = own;
        const told = `trial ${trial}: [${inputs.map((x) => x && `[${x.dims}]`).join(', ')}] ${JSON.stringify(attributes)}`;
        const reference = evaluate({ op, inputs, attributes: attributes ?? {}, outputs });
        const kernels = await byKernels(op, own, trial % 2 === 1);
        assert.equal(
          reference.map(({ type }) => type),
          kernels.map(({ type }) => type),
          told,
        );
        assertNear(meant(kernels), meant(reference), bound, told, magnitude);

        const operands = inputs.map(widened);
        const wide = evaluate({ op, inputs: operands, attributes: attributes ?? {}, outputs });
        assertWide(op, meant(wide), meant(reference), told);
        if (onnx) {
          const [actual, expected] = onnx(operands, wide);
          assertNear([actual], [expected], DOUBLE_BOUND, `${told}: beside ONNX`);
        }
      }
    });
  }
}

/** Operators whose places are reckoned in the type of their operands, which may lie a little elsewhere. */
const RECKONING = ['sardonyx:GridSample', 'sardonyx:RoiAlign'];

/** In double precision there is nothing that the reference of float32 has not: it rounds once, at the end. */
function assertWide(op: string, wide: readonly TensorValue[], narrow: readonly TensorValue[], told: string): void {
  const floats = narrow.flatMap(({ type }, i) => (type === 'float32' ? [i] : []));
  const rounded = floats.map((i) => {
    const { type, dims, data } = wide[i] as TensorValue;
    assert.is(type, op === 'sardonyx:TreeEnsembleRegressor' ? 'float32' : 'float64', told);
    return { type: 'float32', dims, data: Float32Array.from(data as Float64Array) } as TensorValue;
  });
  const bound = RECKONING.includes(op) ? KERNEL_BOUND : 0;
  assertNear(
    rounded,
    floats.map((i) => narrow[i] as TensorValue),
    bound,
    `${told}: in double precision`,
  );
}

test('what works on images, or ends in an epilogue, is among them', () => {
  const missing = allOperators().filter(({ domain, name, computes }) => {
    const { layout, epilogue } = computes?.primitive.facts ?? {};
    return (layout || epilogue) && !((domain ? `${domain}:${name}` : name) in CASES);
  });
  assert.equal(
    missing.map(({ name }) => name),
    [],
  );
});

test.run();
