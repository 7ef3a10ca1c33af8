// Kernels alone, on one thread: npm run bench:kernels -- [--variant simd|relaxed] [PART OF A NAME]
import { parseArgs } from 'node:util';
import { cases as cachedAttention } from './cached-attention.js';
import { cases as convolution } from './convolution.js';
import { cases as elementwise } from './elementwise.js';
import { cases as integers } from './integers.js';
import { cases as matmul } from './matmul.js';
import { type Case, ceiling, copyBandwidth, milliseconds, newEngine, type Variant, variants } from './measure.js';
import { cases as nBit } from './n-bit.js';
import { cases as sequence } from './sequence.js';
import { cases as spatial } from './spatial.js';
import { cases as winograd } from './winograd.js';

const families: Case[][] = [
  matmul,
  integers,
  nBit,
  convolution,
  winograd,
  elementwise,
  spatial,
  sequence,
  cachedAttention,
];

const { values, positionals } = parseArgs({ options: { variant: { type: 'string' } }, allowPositionals: true });
const chosen = values.variant ? [values.variant as Variant] : variants();
const wanted = families.flat().filter(({ name }) => name.includes(positionals[0] ?? ''));

const row = (...columns: string[]) =>
  console.log(columns.map((text, i) => (i === 0 ? text.padEnd(48) : text.padStart(12))).join(''));

for (const variant of chosen) {
  const yardstick = await newEngine(variant);
  const gflops = ceiling(yardstick);
  const bandwidth = copyBandwidth(yardstick);
  console.log(`\n${variant}: micro-kernel in L1 ${gflops.toFixed(1)} GFLOP/s, copy ${bandwidth.toFixed(1)} GB/s`);
  row('', 'µs', 'GFLOP/s', 'of ceiling', 'GB/s');
  for (const { name, flops, bytes, prepare } of wanted) {
    const ms = milliseconds(prepare(await newEngine(variant)));
    const rate = flops ? flops / ms / 1e6 : 0;
    row(
      name,
      (ms * 1000).toFixed(1),
      flops ? rate.toFixed(1) : '',
      flops ? `${((100 * rate) / gflops).toFixed(0)} %` : '',
      bytes ? (bytes / ms / 1e6).toFixed(1) : '',
    );
  }
}
