import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession, type Results, type SessionOptions } from '../../src/index.js';
import { allOperators } from '../../src/schema/registry.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { shared } from '../shared-data.js';
import { byTier, sampleByTier } from '../tier.js';
import { contribCases, type HalfCase, schemaCases, takesHalves } from './half-cases.js';

/** Nodes whose results are rounded where the model asks for it, or are no measure of what lies between nodes. */
const EXCEPTIONS: readonly (readonly [name: RegExp, why: string])[] = [
  [/^:Cast .*(T2=tensor\(bfloat16\)|T1=tensor\(bfloat16\))/, 'a Cast to halves'],
  [/^:Cast (6|9),/, 'a Cast to halves'],
  [/^:CastLike /, 'a Cast to the type of another input, halves in these cases'],
  [/^:LayerNormalization 17 U=tensor\(bfloat16\)/, 'stash_type: the statistics are computed in bfloat16'],
  [/^:Pow \d+ T1=/, 'integers to the power of 90,000, for which there is no integer'],
  [/^com.microsoft:DecoderMaskedMultiHeadAttention .*input [12]$/, 'keys and values, which its caches store as halves'],
  [
    /^com.microsoft:GridSample .*reflection.*input 1$/,
    'places reflected thousands of times, which amplifies how floats round',
  ],
];

const KEPT = 'sequences, optionals and what subgraphs are given are of the types that the model declares';

/** Operators that no case is made of. */
const WITHOUT_CASE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['Loop', 'Scan', 'Optional', 'OptionalHasElement'].map((name) => [`:${name}`, KEPT])),
  ...Object.fromEntries(['BeamSearch', 'WhisperBeamSearch'].map((name) => [`com.microsoft:${name}`, KEPT])),
  ':ConcatFromSequence': KEPT,
  ':SplitToSequence': KEPT,
  ...Object.fromEntries(
    ['At', 'Construct', 'Erase', 'Insert', 'Length', 'Map'].map((name) => [`:Sequence${name}`, KEPT]),
  ),
  ':Equal 1': 'compares no floats by its schema',
  ':GivenTensorFill': 'reads the shape alone',
  'com.microsoft:SimplifiedLayerNormalization': 'has its cases in the domain of ONNX',
  'com.microsoft:NhwcFusedConv': 'test/ops/microsoft/nhwc.test.ts has it on halves',
};

const isExcepted = ({ name, operator }: HalfCase): boolean =>
  operator.halves === 'as they are' ||
  operator.readsBits === true ||
  !operator.deterministic ||
  EXCEPTIONS.some(([pattern]) => pattern.test(name));

async function run({ bytes, feeds }: HalfCase, options: SessionOptions): Promise<Results> {
  const session = await InferenceSession.create(bytes, { intraOpNumThreads: 1, ...options });
  try {
    return await session.run(feeds);
  } finally {
    await session.release();
  }
}

/** Beyond these, floats and integers of 32 bits have no number for what doubles do. */
const LARGEST = { float: 3e38, integer: 2 ** 31 - 1 };

/** How far results are from those in double precision, by the largest of these; undefined where none of them is finite. */
function distance(actual: Results, expected: Results): number | undefined {
  let [worst, hasNumbers] = [0, false];
  for (const [name, value] of Object.entries(expected)) {
    const { type, data } = value as TensorValue;
    const [own, numbers] = [(actual[name] as TensorValue).data, Array.from(data as ArrayLike<unknown>, Number)];
    const most = /float/.test(type) ? LARGEST.float : LARGEST.integer;
    const isNumber = (x: number) => Math.abs(x) < most;
    const size = numbers.reduce((max, x) => (isNumber(x) ? Math.max(max, Math.abs(x)) : max), Number.MIN_VALUE);
    numbers.forEach((x, i) => {
      if (!isNumber(x)) return;
      hasNumbers = true;
      const error = Math.abs(Number(own[i]) - x) / size;
      if (!(error <= worst)) worst = error;
    });
  }
  return hasNumbers ? worst : undefined;
}

/** What is wrong with a case; null where it shows nothing, because no result is finite in double precision, or because it is invalid. */
async function fault(c: HalfCase): Promise<string | undefined | null> {
  const expected = await run(c, { executionProviders: ['reference'] }).catch(() => null);
  if (!expected) return null;
  const found = distance(await run(c, {}), expected);
  if (found === undefined) return null;
  // Rounded to halves, what lies between nodes would be infinite, or off by 1e-3 in bfloat16. Weights of few bits meet rows of 16 bits.
  return found <= 2e-4 ? undefined : `${c.name}: off by ${found}`;
}

const folder = shared('onnx-schemas');
const test = suite('every operator on halves, in every version, behind products beyond 65,504');

if (folder) {
  const all = [...schemaCases(folder), ...contribCases(byTier({ quick: 2, ci: 2, all: 8 }))];
  const exact = all.filter((c) => !isExcepted(c));

  test('results are those of floats', async () => {
    const cases = sampleByTier(exact, { quick: 60, ci: 180, all: exact.length }, ({ name }) => name);
    const wrong: string[] = [];
    let silent = 0;
    for (const c of cases) {
      const found = await fault(c).catch((error: Error) => `${c.name}: ${error.message}`);
      if (found === null) silent++;
      else if (found) wrong.push(found);
    }
    console.log(`${cases.length} of ${exact.length} nodes, ${silent} of which show nothing`);
    assert.equal(wrong, []);
    assert.ok(silent < cases.length / 20);
  });

  test('there is a case of every version that is registered', () => {
    const covered = new Set(all.map(({ operator }) => operator));
    const missing = allOperators()
      .filter((operator) => takesHalves(operator) && !covered.has(operator))
      .filter(({ domain }) => domain === '' || domain === 'com.microsoft')
      .map(({ domain, name, since }) => [`${domain}:${name}`, `${domain}:${name} ${since}`] as const)
      .filter((names) => !names.some((name) => WITHOUT_CASE[name]))
      .map(([, name]) => name);
    assert.equal(missing, []);
  });
}

test.run();
