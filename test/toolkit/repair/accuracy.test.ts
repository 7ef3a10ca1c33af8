import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  adaRound,
  convertVersion,
  correctBias,
  equalize,
  fromExternalData,
  type Metric,
  type Model,
  type QuantizeStaticOptions,
  quantizeRepaired,
  quantizeStatic,
  toExternalData,
} from '../../../src/tools/index.js';
import { isAtLeast } from '../../tier.js';
import { scoreOf, witnessed } from '../witnesses/judge.js';
import { type Run, SCORES } from '../witnesses/scores.js';
import type { Name, Witness } from '../witnesses/witness.js';

const test = suite('what quantising ahead keeps of trained models');

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** What a model in place of a witness has less of its score, as a share of what torch says; both are printed. */
async function lossOf(name: Name, how: string, model: Model): Promise<number> {
  const { witness } = await witnessed(name);
  const [score, whole] = [await scoreOf(name, model), Object.values(witness.scores)[0] as number];
  console.log(`${name}, ${how}: ${percent(score)}, floats ${percent(whole)}`);
  return 1 - score / whole;
}

async function quantizedLoss(name: Name, options: QuantizeStaticOptions): Promise<number> {
  const { witness, feeds } = await witnessed(name);
  const how = options.perChannel ? '8 bits by channel' : '8 bits by tensor';
  return lossOf(name, how, await quantizeStatic(witness.model, feeds, options));
}

test('a network of depthwise convolutions: less than 1 % with a scale for each channel', async () => {
  const loss = await quantizedLoss('glyphs', { perChannel: true });
  assert.ok(loss < 0.01, `${loss}`);
});

test('the same with one scale a weight: it suffers, repairs help, and equalised it loses less than 1.5 %', async () => {
  const { witness, feeds } = await witnessed('glyphs');
  const folded = await equalize(witness.model, { clips: 'keep' });
  const plain = await quantizeStatic(folded, feeds);
  const suffered = await lossOf('glyphs', '8 bits by tensor', plain);
  assert.ok(suffered > 0.03, `only ${suffered}`);
  const corrected = await lossOf('glyphs', 'correctBias', await correctBias(folded, plain, feeds));
  assert.ok(corrected < suffered - 0.005, `${corrected}`);
  if (isAtLeast('all')) {
    const rounded = await lossOf('glyphs', 'adaRound', await adaRound(folded, plain, feeds));
    assert.ok(rounded < suffered - 0.015, `${rounded}`);
  }
  const equalized = await lossOf('glyphs', 'equalize', await quantizeStatic(await equalize(witness.model), feeds));
  assert.ok(equalized < 0.015, `${equalized}`);
});

test('the same with weights of 4 bits, outside of the file: rounding anew wins back most', async () => {
  const { witness, feeds } = await witnessed('glyphs');
  const model = await toExternalData(await convertVersion(await equalize(witness.model), 21), { threshold: 0 });
  const plain = await quantizeStatic(model, feeds, { weightType: 'int4', perChannel: true });
  const rounded = await adaRound(model, plain, feeds);
  const nearest = await lossOf('glyphs', '4 bits by channel', await fromExternalData(plain));
  const anew = await lossOf('glyphs', '4 bits, adaRound', await fromExternalData(rounded));
  assert.ok(nearest > 0.02 && anew < nearest / 2, `${[nearest, anew]}`);
  if (!isAtLeast('all')) return;
  const both = await fromExternalData(await correctBias(model, rounded, feeds));
  const corrected = await lossOf('glyphs', '4 bits, adaRound and correctBias', both);
  assert.ok(corrected < nearest / 2, `${[nearest, corrected]}`);
});

for (const perChannel of isAtLeast('all') ? [true, false] : [false])
  test(`an encoder of text: less than 1 %${perChannel ? ', by channel' : ''}`, async () => {
    const loss = await quantizedLoss('passages', { perChannel });
    assert.ok(loss < 0.01, `${loss}`);
  });

test('a detector, whose scores share a scale with its boxes, is wrong until these are left out by themselves', async () => {
  const { witness, feeds } = await witnessed('finder');
  assert.ok((await quantizedLoss('finder', { perChannel: true })) > 0.2);
  // Every node is judged by itself: a quarter of the pictures will do.
  const quarter = Object.entries(witness.arrays).map(([key, numbers]) => [
    key,
    numbers.subarray(0, numbers.length / 4),
  ]);
  const fewer: Witness = { ...witness, arrays: Object.fromEntries(quarter) };
  const metric: Metric = (run) => SCORES.finder(fewer, run as unknown as Run);
  const { model, excluded, score } = await quantizeRepaired(witness.model, feeds, {
    perChannel: true,
    repair: ['equalize'],
    // Each node that may be quantised is tried by itself: fewer before tier all.
    exclude: isAtLeast('all') ? [] : ['*Sigmoid*', '*Mul*'],
    target: { metric, loss: 0.02 },
  });
  assert.ok(excluded.length < 6 && excluded.some((name) => name.includes('Concat')), excluded.join());
  const loss = await lossOf('finder', `without ${excluded}`, model);
  assert.ok(loss <= 0.02, `${loss}`);
  assert.is(score, await scoreOf('finder', model, fewer));
  assert.ok(model.proto.graph?.node.some(({ opType }) => opType === 'QuantizeLinear'));
});

test.run();
