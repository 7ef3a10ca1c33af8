import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../../src/base/errors.js';
import { loadGroups } from '../../../src/groups/load-groups.js';
import { encodeExactly } from '../../../src/model/document/encode.js';
import { inferShapes } from '../../../src/tools/infer/index.js';
import { modelOf } from '../../../src/tools/model-of.js';
import { specimen } from '../../fuzz/files/corpus.js';
import { randomOf, seedOf } from '../../fuzz/files/random.js';
import { damagedFile } from '../../fuzz/files/trial.js';

const test = suite('shape inference of damaged models');

const TRIALS = 600;

const expected = (error: unknown): undefined => {
  assert.instance(error, SardonyxError, (error as Error).stack);
};

test('each is refused, or inferred once and for all', async () => {
  await loadGroups();
  let inferred = 0;
  for (let trial = 0; trial < TRIALS; trial++) {
    const random = randomOf(seedOf(5, trial));
    const bytes = damagedFile(specimen(randomOf(seedOf(random.below(300)))).bytes, random);
    const once = await Promise.resolve(bytes)
      .then((damaged) => inferShapes(modelOf(damaged)))
      .catch(expected);
    if (!once) continue;
    assert.ok(encodeExactly(ModelProto, once.proto).length > 0);
    assert.is((await inferShapes(once)) === once, true, `trial ${trial}: more was inferred the second time`);
    inferred++;
  }
  assert.ok(inferred > TRIALS / 3, `${inferred} models were inferred`);
});

test.run();
