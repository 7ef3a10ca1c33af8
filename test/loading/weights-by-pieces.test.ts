import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { InferenceSession } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { randomFloats, relativeL2 } from '../assembly/kernels.js';
import { sampled } from '../tier.js';
import { serve, whole } from './server.js';

const test = sampled(suite('weights that are packed piece by piece'), { ci: 1 / 3 });

const BLOCK = 32;
const MEBIBYTE = 2 ** 20;

interface Sizes {
  readonly K: number;
  readonly N: number;
  readonly bits: number;
  /** Whether each block has a zero point of its own. */
  readonly hasZeros: boolean;
  /** Whether another node reads the codes as well. */
  readonly isShared: boolean;
}

const bytesFrom = (count: number, seed: number) =>
  new Uint8Array(randomFloats(count, seed).map((x) => Math.floor((x + 1) * 128)));

/** x · B, and the sum of x and of the first codes where these are shared; what they are by plain loops. */
function productOf({ K, N, bits, hasZeros, isShared }: Sizes) {
  const blocks = Math.ceil(K / BLOCK);
  const rowBytes = (blocks * BLOCK * bits) / 8;
  const zeroBytes = Math.ceil((blocks * bits) / 8);
  const codes = bytesFrom(N * rowBytes, 1);
  const scales = randomFloats(N * blocks, 2);
  const zeros = bytesFrom(N * zeroBytes, 3);
  const x = randomFloats(K, 4);
  const b = modelBuilder({ opset: 21, opsets: { 'com.microsoft': 1 } });
  const fed = b.input('x', 'float32', [1, K]);
  const weights = b.constant('codes', tensor('uint8', [N, blocks, (BLOCK * bits) / 8], codes));
  const inputs = [fed, weights, b.constant('scales', tensor('float32', [N * blocks], scales))];
  if (hasZeros) inputs.push(b.constant('zeros', tensor('uint8', [N * zeroBytes], zeros)));
  const [y] = b.node('MatMulNBits', inputs, { K, N, bits, block_size: BLOCK }, { domain: 'com.microsoft' });
  b.output('y', y as NonNullable<typeof y>);
  if (isShared) b.output('rows', b.op('Gather', [weights, b.input('row', 'int64', [1])]));

  const codeAt = (of: Uint8Array, bit: number) => ((of[bit >> 3] as number) >> (bit & 7)) & (2 ** bits - 1);
  const expected = Float64Array.from({ length: N }, (_, n) => {
    let sum = 0;
    for (let block = 0; block < blocks; block++) {
      const zero = hasZeros ? codeAt(zeros, n * zeroBytes * 8 + block * bits) : 2 ** (bits - 1);
      const scale = scales[n * blocks + block] as number;
      for (let k = block * BLOCK; k < Math.min(K, (block + 1) * BLOCK); k++)
        sum += (x[k] as number) * (codeAt(codes, n * rowBytes * 8 + k * bits) - zero) * scale;
    }
    return sum;
  });
  const row = N - 1;
  const feeds: Record<string, TensorValue> = {
    x: { type: 'float32', dims: [1, K], data: x },
    ...(isShared && { row: { type: 'int64', dims: [1], data: BigInt64Array.of(BigInt(row)) } }),
  };
  const rows = isShared ? codes.subarray(row * rowBytes, (row + 1) * rowBytes) : undefined;
  const all = codes.length + 4 * scales.length + (hasZeros ? zeros.length : 0);
  return { bytes: b.toBytes(), weights: all, codes: codes.length, feeds, expected, rows };
}

const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
const server = await serve({});
test.after(async () => {
  rmSync(folder, { recursive: true });
  await server.close();
});

const SOURCES: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array | string>> = {
  bytes: (bytes) => bytes,
  path(bytes) {
    const path = join(folder, 'model.onnx');
    writeFileSync(path, bytes);
    return path;
  },
  URL(bytes) {
    server.handlers['/model.onnx'] = whole(bytes);
    return `${server.url}/model.onnx`;
  },
};

const USUAL: Sizes = { K: 1024, N: 2400, bits: 4, hasZeros: false, isShared: false };

const CASES: Readonly<Record<string, Partial<Sizes>>> = {
  '4 bits': {},
  '8 bits': { bits: 8 },
  '2 bits': { bits: 2 },
  'columns that fill no panel': { N: 2403 },
  'rows that fill no block': { K: 1000, N: 2401 },
  'zero points': { hasZeros: true },
  'codes that another node reads': { isShared: true },
};

/** Kernels, a program, an arena and what is brought at a time. */
const BESIDE = 3 * MEBIBYTE;

for (const [what, sizes] of Object.entries(CASES))
  for (const [source, from] of Object.entries(SOURCES))
    test(`${what}, from ${source}`, async () => {
      const { bytes, weights, codes, feeds, expected, rows } = productOf({ ...USUAL, ...sizes });
      const session = await InferenceSession.create(from(bytes) as string);
      for (let run = 0; run < 2; run++) {
        const results = await session.run(feeds);
        assert.ok(relativeL2((results.y as { data: Float32Array }).data, expected) < 1e-4);
        if (rows) assert.equal((results.rows as { data: Uint8Array }).data, rows);
      }
      const twice = source === 'URL' && (sizes.isShared || (sizes.N ?? 0) % 8 > 0) ? codes : 0;
      const most = weights + twice + (sizes.isShared && source !== 'URL' ? codes : 0) + BESIDE;
      const { linearMemory = Number.POSITIVE_INFINITY } = session.memoryPlan ?? {};
      assert.ok(linearMemory < most, `${linearMemory} bytes of linear memory for ${weights} of weights`);
      await session.release();
    });

test.run();
