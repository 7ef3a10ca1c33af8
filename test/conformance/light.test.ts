import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readModel } from '../../src/model/read-model.js';
import { readValue } from '../../src/model/read-values.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { factsOf } from '../../src/tools/conformance/facts.js';
import { feedsOf } from '../../src/tools/conformance/values.js';
import { relativeL2 } from '../assembly/kernels.js';
import { byTier, isAtLeast } from '../tier.js';
import { fastest, nameOf, openAt, STAGES } from './stages.js';
import { backendTests, unsupportedOperators } from './suite.js';

const root = backendTests();
/** Half a gigabyte of weights each, in layers that the others have, too. */
const HEAVY = isAtLeast('all') ? [] : ['light_vgg19.onnx', 'light_zfnet512.onnx'];
const models = readdirSync(join(root, 'light')).filter((name) => name.endsWith('.onnx') && !HEAVY.includes(name));
const light = suite('conformance light');

/** Memory is watched on one binary: the cases of operators are on each. */
const WHOLE = byTier({ quick: ['guarded'], ci: ['guarded'], all: ['raw', 'optimized', 'guarded'] }).flatMap((wanted) =>
  STAGES.filter(({ form, variant }) => form === wanted && (variant === fastest || form === 'optimized')),
);

/** Whole networks, too large for plain loops, whose weights are all one value; the expected outputs are those of ONNX's reference evaluator in C++. */
for (const file of models) {
  light(file.replace('.onnx', ''), async () => {
    const path = join(root, 'light', file);
    const bytes = readFileSync(path);
    assert.equal(unsupportedOperators(readModel(bytes)), []);
    const expected = readValue(readFileSync(path.replace('.onnx', '_output_0.pb'))) as TensorValue;
    const feeds = await feedsOf(factsOf(bytes).inputs, { name: '', inputs: 'ramp', outputs: [] }, readValue);
    for (const stage of WHOLE) {
      const session = await openAt(stage, bytes);
      const results = await session.run(feeds);
      const [actual] = Object.values(results) as TensorValue[] as [TensorValue];
      assert.equal(actual.dims, expected.dims);
      const error = relativeL2(actual.data as Float32Array, expected.data as Float32Array);
      assert.ok(error <= 1e-4, `${nameOf(stage)}: relative L2 ${error}`);
      await session.release();
    }
  });
}

light.run();
