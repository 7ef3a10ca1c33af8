import { createRequire } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { skipped } from '../../skipped.js';
import { isAtLeast } from '../../tier.js';
import { installedPeers } from '../../transformers/peers.js';
import { addsExactly, SATURATES } from './runs.js';
import { type Run, sweep } from './sweep.js';

const test = suite('quantised models in onnxruntime-node');

/** Four layers of 8 bits, each with steps of 1/128 of the largest, lose some hundredths; a scale that is wrong loses all. */
const TOLERANCE = 0.06;

/** Formats that have no such products. */
const isUnsigned = (way: string) => /uint8 by uint8|dynamic, uint8/.test(way) && !way.includes('per channel');

const packages = isAtLeast('ci') ? installedPeers() : null;
if (!packages) skipped('models are run in onnxruntime-node from the tier ci on, where it can be installed');
else {
  const ort = createRequire(join(packages, 'onnxruntime-node', 'package.json'))('onnxruntime-node');
  const run: Run = async (bytes, x) => {
    const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 4 });
    const results = await session.run({ x: new ort.Tensor('float32', x.data, x.dims) });
    await session.release();
    return results[session.outputNames[0]].data;
  };
  for (const opset of isAtLeast('all') ? [13, 15, 17, 19, 21] : [17])
    test(`every model, quantised in many ways, runs and is as near as the others (opset ${opset})`, async () => {
      const wrong: string[] = [];
      const isComparable = await addsExactly(run);
      if (!isComparable) skipped(SATURATES);
      for await (const { subject, way, error } of sweep(run, opset, isAtLeast('all') ? 1 : 3))
        if ((isComparable || isUnsigned(way)) && (typeof error === 'string' || !(error <= TOLERANCE)))
          wrong.push(`${subject}; ${way}: ${error}`);
      assert.equal(wrong, []);
    });
}

test.run();
