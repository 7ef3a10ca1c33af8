import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contrast, mixed, readableOn } from '../../../studio/src/canvas/paint/color.js';
import { heatOfBoxes } from '../../../studio/src/canvas/paint/heat.js';
import { sceneOf } from '../../../studio/src/canvas/scene/scene.js';
import { withClosed } from './fewer-boxes.js';
import { generated } from './generated.js';

const test = suite('studio/canvas: heat');
const scene = sceneOf(withClosed(generated(300), 1));
const { boxes } = scene.picture;
const { ofNode } = scene.modules;
const byNode = Float64Array.from(ofNode, (_, node) => (node % 5 === 0 ? Number.NaN : (node % 11) / 4));
const heat = (spread: 'linear' | 'logarithmic') => heatOfBoxes(scene, { byNode, spread, words: String });

test('modules have the sums of their nodes, nodes without a figure have no colour', () => {
  const { values, steps } = heat('linear');
  for (let box = 0; box < boxes.count; box++) {
    const subject = boxes.subject[box] as number;
    const inside = [...ofNode.keys()].filter((node) => ofNode[node] === subject && !Number.isNaN(byNode[node]));
    const sum = inside.reduce((total, node) => total + (byNode[node] as number), 0);
    const expected = boxes.kind[box] === 0 ? (byNode[subject] as number) : sum;
    if (Number.isNaN(expected)) assert.ok(Number.isNaN(values[box] as number) && steps[box] === 0);
    else assert.ok(Math.abs((values[box] as number) - expected) < 1e-9 && (steps[box] as number) > 0);
  }
});

test('the hottest node has the last step, whatever the modules come to; hotter is never a lower step', () => {
  for (const spread of ['linear', 'logarithmic'] as const) {
    const { values, steps } = heat(spread);
    const nodes = [...values.keys()].filter((box) => boxes.kind[box] === 0 && (steps[box] as number) > 0);
    nodes.sort((a, b) => (values[a] as number) - (values[b] as number));
    assert.is(steps[nodes.at(-1) as number], 9);
    assert.is(steps[nodes[0] as number], 1);
    nodes.forEach(
      (box, i) => void assert.ok(i === 0 || (steps[box] as number) >= (steps[nodes[i - 1] as number] as number)),
    );
    assert.is(steps[scene.boxOf({ kind: 'module', index: 1 })], 9, 'the only closed module');
  }
});

test('figures below 0 are colours from the least on', () => {
  const lower = byNode.map((figure) => figure - 5);
  const byModule = new Float64Array(scene.modules.count).fill(-4);
  const { values, steps } = heatOfBoxes(scene, { byNode: lower, byModule, from: -5, spread: 'linear', words: String });
  const { steps: expected } = heatOfBoxes(scene, {
    byNode,
    byModule: byModule.map((mean) => mean + 5),
    spread: 'linear',
    words: String,
  });
  assert.equal(steps, expected);
  assert.is(values[scene.boxOf({ kind: 'module', index: 1 })], -4);
});

test('what is written on any colour has a contrast of 4.5', () => {
  for (let bits = 0; bits < 0x1000000; bits += 0x01_23_45) {
    const colour = `#${bits.toString(16).padStart(6, '0')}`;
    assert.ok(contrast(colour, readableOn(colour)) >= 4.5, colour);
  }
  assert.is(Math.round(contrast('#000000', '#ffffff')), 21);
  assert.is(mixed('#000000', '#ff8040', 0.5), '#804020');
});

test.run();
