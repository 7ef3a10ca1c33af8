import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Form, numberAt } from '../../src/backends/wasm/plan/multi-affine.js';
import { levelOf, type Ramp, rampOf } from '../../src/backends/wasm/plan/ramps.js';
import type { Node } from '../../src/graph/graph.js';
import { tensorType } from '../../src/graph/types.js';
import type { ElementType } from '../../src/tensor/element-types.js';
import { randomly } from '../session/run-model.js';

const SAYS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  Equal: (a, b) => a === b,
  Greater: (a, b) => a > b,
  GreaterOrEqual: (a, b) => a >= b,
  Less: (a, b) => a < b,
  LessOrEqual: (a, b) => a <= b,
};

const STEPS = 9;
const LAST = [1, STEPS];
const made = (op: string, operands: (Ramp | undefined)[], dims: Form[], element: ElementType) =>
  rampOf({ domain: '', op } as Node, operands, dims, { type: tensorType(element, []) }, LAST);

/** Every number of two ramps, at every place. */
function* pairsOf(a: Ramp, b: Ramp, length: Form): Generator<[number, number]> {
  for (let step = 0; step <= STEPS; step++)
    for (let i = 0; i < numberAt(length, [1, step]); i++)
      yield [a, b].map((ramp) => numberAt(ramp.start, [1, step]) + i * ramp.step) as [number, number];
}

const test = suite('ramps');

test('a comparison is level just where all numbers at all places compare alike', () => {
  const random = randomly(5);
  const draw = (least: number, most: number) => least + Math.floor(random() * (most - least + 1));
  let level = 0;
  for (let i = 0; i < 4000; i++) {
    const ramp = (): Ramp => ({ start: [draw(-6, 6), draw(-1, 1)], step: draw(-1, 1) });
    const [a, b, length] = [ramp(), ramp(), [draw(2, 5), draw(0, 2)]];
    for (const [op, says] of Object.entries(SAYS)) {
      const answers = new Set([...pairsOf(a, b, length)].map(([x, y]) => says(x, y)));
      const found = made(op, [a, b], [[1, 0], length], 'bool');
      if (found) assert.equal([...answers], [levelOf(found) === 1], `${op} ${JSON.stringify([a, b, length])}`);
      if (found) level++;
      // Equality may come out alike between numbers that are on both sides of zero.
      else if (op !== 'Equal') assert.is(answers.size, 2, `${op} ${JSON.stringify([a, b, length])}`);
    }
  }
  assert.ok(level > 3000, `${level} were level`);
});

test('what is no ramp is none', () => {
  const flat: Ramp = { start: [3, 0], step: 0 };
  const length: Form = [4, 1];
  assert.is(made('Add', [flat, flat], [length, length], 'int64'), undefined);
  assert.is(made('Add', [flat, undefined], [length], 'int64'), undefined);
  assert.is(made('Add', [flat, flat], [length], 'float32'), undefined);
  assert.is(made('Cast', [{ start: [0.5, 0], step: 0 }], [length], 'int64'), undefined);
  assert.is(made('Cast', [flat], [length], 'bool'), undefined);
  assert.is(made('Where', [{ start: [0, 1], step: 0 }, flat, flat], [length], 'float32'), undefined);
  assert.is(made('Range', [flat, flat, { start: [2 ** 31, 0], step: 0 }], [length], 'int64'), undefined);
  assert.is(made('Mod', [flat, flat], [length], 'int64'), undefined);
});

test.run();
