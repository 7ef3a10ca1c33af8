import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { example } from './example.js';

const test = suite('sampling in examples/chat');
const { sample } = await example('src/sampling.js');

const PROBABILITIES = [0.1, 0.4, 0.2, 0.3];
const LOGITS = Float32Array.from(PROBABILITIES, (p) => 5 + Math.log(p));
const STEPS = 10_000;

/** How often each token is drawn, over evenly spread random numbers. */
function shares(options: { temperature?: number; topP?: number }): number[] {
  const counts = new Array(PROBABILITIES.length).fill(0);
  for (let i = 0; i < STEPS; i++) counts[sample(LOGITS, { ...options, random: () => (i + 0.5) / STEPS })]++;
  return counts.map((count) => count / STEPS);
}

function isNear(actual: readonly number[], expected: readonly number[]): void {
  const farthest = Math.max(...expected.map((x, i) => Math.abs(x - (actual[i] as number))));
  assert.ok(farthest < 2 / STEPS, `${actual} in place of ${expected}`);
}

test('draws by the probabilities', () => isNear(shares({}), PROBABILITIES));

test('draws the sharper, the lower the temperature', () => {
  const squares = PROBABILITIES.map((p) => p * p);
  const total = squares.reduce((a, b) => a + b);
  isNear(
    shares({ temperature: 0.5 }),
    squares.map((p) => p / total),
  );
});

test('keeps the most probable that have topP together', () => {
  isNear(shares({ topP: 0.6 }), [0, 4 / 7, 0, 3 / 7]);
  isNear(shares({ topP: 0.75 }), [0, 4 / 9, 2 / 9, 3 / 9]);
  isNear(shares({ topP: 0.05 }), [0, 1, 0, 0]);
});

test('takes the most probable at temperature 0', () => assert.is(sample(LOGITS, { temperature: 0 }), 1));

test('draws what is left when all others are forbidden', () => {
  const forbidden = Float32Array.of(-Infinity, -Infinity, 3, -Infinity);
  for (const random of [0, 0.5, 1 - 2 ** -53]) assert.is(sample(forbidden, { random: () => random }), 2);
});

test.run();
