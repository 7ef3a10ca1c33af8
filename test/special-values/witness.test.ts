import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HostValue } from '../../src/tensor/tensor-value.js';
import { openIn } from '../fuzz/graphs/modes.js';
import { plainOfValue } from '../fuzz/graphs/plain-tensors.js';
import type { PlainArray } from '../fuzz/reference/array.js';
import { WAYS, type Way } from './ways.js';
import { CASES, modelOf, type Witnessed } from './witnessed.js';

/** Infinities, NaN and zeros, in every way that a node runs, as onnxruntime has them: witness.ts wrote witness.json. */
const test = suite('special values as onnxruntime has them');
const witness = JSON.parse(readFileSync(new URL('witness.json', import.meta.url), 'utf8')) as Record<string, string[]>;

/** Where onnxruntime departs from IEEE 754's minimum and maximum, which know -0 for less than 0: its answer is that of the first operand. */
const DEPARTURES: Readonly<Record<string, string>> = {
  Min: '-0, 0: -0, not 0',
  Max: '0, -0: 0, not -0',
};

async function resultsIn({ constant, options, variant }: Way, c: Witnessed): Promise<readonly number[]> {
  const session = await openIn({ name: '', options, ...(variant && { variant }) }, modelOf(c, constant));
  const feeds = Object.fromEntries(
    c.inputs.map(({ type, data }, i) => [`x${i}`, { type, dims: [data.length], data: Float32Array.from(data) }]),
  );
  const { y } = await session.run(constant ? {} : feeds);
  await session.release();
  return (plainOfValue(y as HostValue) as PlainArray).data as readonly number[];
}

/** The least normal number: kernels may flush smaller ones. */
const LEAST = 2 ** -126;

const shown = (x: number) => (Object.is(x, -0) ? '-0' : String(x));

for (const c of CASES)
  test(c.name, async () => {
    for (const way of WAYS) {
      const actual = await resultsIn(way, c);
      const wrong = actual.flatMap((x, i) => {
        const e = witness[c.name]?.[i] as string;
        const isNear = shown(x) === e || Math.abs(x - Number(e)) <= 1e-6 * Math.abs(x) + LEAST;
        return isNear && (x !== 0 || Number(e) !== 0 || shown(x) === e)
          ? []
          : [`${c.inputs.map(({ data }) => shown(data[i] as number)).join(', ')}: ${shown(x)}, not ${e}`];
      });
      assert.is(wrong.join('\n'), DEPARTURES[c.name] ?? '', `${way.name}: ${wrong.length}`);
    }
  });

test.run();
