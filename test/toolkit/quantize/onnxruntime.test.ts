import { createRequire } from 'node:module';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../../src/builder/index.js';
import { skipped } from '../../skipped.js';
import { isAtLeast } from '../../tier.js';
import { installedPeers } from '../../transformers/peers.js';
import { type Run, sweep } from './sweep.js';

const test = suite('quantised models in onnxruntime-node');

/** Four layers of 8 bits, each with steps of 1/128 of the largest, lose some hundredths; a scale that is wrong loses all. */
const TOLERANCE = 0.06;

/**
 * On x86 without VNNI, onnxruntime adds pairs of products of uint8 and int8 with saturation at 16 bits:
 * https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html#when-and-why-do-i-need-to-try-u8u8
 */
async function isExact(run: Run): Promise<boolean> {
  const b = modelBuilder({ opset: 17 });
  const x = b.op('Cast', [b.input('x', 'float32', [1, 64])], { to: 2 });
  const weights = { type: 'int8' as const, dims: [64, 16], data: new Int8Array(64 * 16).fill(127) };
  b.output('y', b.op('Cast', [b.op('MatMulInteger', [x, b.constant('w', weights)])], { to: 1 }));
  const [sum] = await run(b.toBytes(), {
    type: 'float32',
    dims: [1, 64],
    data: new Float32Array(64).fill(255),
  } as never);
  return sum === 64 * 255 * 127;
}

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
      const isComparable = await isExact(run);
      if (!isComparable) skipped('onnxruntime saturates products of uint8 and int8 on this processor');
      for await (const { subject, way, error } of sweep(run, opset, isAtLeast('all') ? 1 : 3))
        if ((isComparable || isUnsigned(way)) && (typeof error === 'string' || !(error <= TOLERANCE)))
          wrong.push(`${subject}; ${way}: ${error}`);
      assert.equal(wrong, []);
    });
}

test.run();
