import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import { randomFloats } from '../../assembly/kernels.js';
import { choicesOf } from '../../fuzz/graphs/choices.js';
import { MODES, type Mode, openIn, THREADED } from '../../fuzz/graphs/modes.js';
import { seriesByTier } from '../../tier.js';

/** Convolutions of 3×3, which Winograd's algorithm serves, with an infinite or NaN pixel: in every mode as in double precision. */
const test = suite('convolutions of what is not finite');
const SEEDS = seriesByTier({ quick: 4, ci: 20, all: 1_000 });
const [CHANNELS, SIDE] = [16, 12];

const EPILOGUES = ['none', 'bias and Relu', 'bias, residual and Sigmoid'] as const;

function modelOf(epilogue: (typeof EPILOGUES)[number], seed: number): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const dims = [1, CHANNELS, SIDE, SIDE];
  const w = b.constant('w', tensor('float32', [CHANNELS, CHANNELS, 3, 3], randomFloats(CHANNELS * CHANNELS * 9, seed)));
  const bias = b.constant('b', tensor('float32', [CHANNELS], randomFloats(CHANNELS, seed + 1)));
  const inputs = [b.input('x', 'float32', dims), w, ...(epilogue === 'none' ? [] : [bias])];
  let y = b.op('Conv', inputs, { pads: [1, 1, 1, 1] });
  if (epilogue === 'bias and Relu') y = b.op('Relu', [y]);
  if (epilogue === 'bias, residual and Sigmoid') y = b.op('Sigmoid', [b.op('Add', [y, b.input('r', 'float32', dims)])]);
  b.output('y', y);
  return b.toBytes();
}

const wanted = ['raw', 'all, watched', 'all on relaxed, watched'];
const modes: readonly Mode[] = [...MODES.filter(({ name }) => wanted.includes(name)), THREADED];
const REFERENCE = MODES.find(({ name }) => name === 'reference') as Mode;

async function run(mode: Mode, bytes: Uint8Array, feeds: Readonly<Record<string, Float32Array>>): Promise<number[]> {
  const session = await openIn(mode, bytes);
  const dims = [1, CHANNELS, SIDE, SIDE];
  const named = Object.entries(feeds).map(([name, data]) => [name, tensor('float32', dims, data)] as const);
  const { y } = await session.run(Object.fromEntries(named));
  await session.release();
  return Array.from((y as { data: Float32Array }).data);
}

for (const epilogue of EPILOGUES)
  test(epilogue, async () => {
    for (const seed of SEEDS) {
      const g = choicesOf(seed);
      const x = randomFloats(CHANNELS * SIDE * SIDE, seed);
      x[g.below(x.length)] = g.pick([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]);
      const feeds = { x, ...(epilogue.includes('residual') && { r: randomFloats(x.length, seed + 2) }) };
      const bytes = modelOf(epilogue, seed);
      const expected = await run(REFERENCE, bytes, feeds);
      for (const mode of modes) {
        const actual = await run(mode, bytes, feeds);
        const at = actual.findIndex((a, i) => {
          const e = expected[i] as number;
          return !Object.is(a, e) && !(Math.abs(a - e) <= 1e-4);
        });
        assert.is(at, -1, `${mode.name}, seed ${seed}: [${at}] is ${actual[at]}, not ${expected[at]}`);
      }
    }
  });

test.run();
