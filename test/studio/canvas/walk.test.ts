import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstIn, stepFrom } from '../../../studio/src/canvas/access/walk.js';
import { hitAt } from '../../../studio/src/canvas/scene/hit.js';
import { neighbourhood } from '../../../studio/src/canvas/scene/neighbourhood.js';
import { boxRectangle, sceneOf } from '../../../studio/src/canvas/scene/scene.js';
import { targetOfBox } from '../../../studio/src/canvas/scene/target.js';
import { generated } from './generated.js';

const test = suite('studio/canvas: walks and hits');
const scene = sceneOf(generated(300));
const { boxes, edges } = scene.picture;
const node = (index: number) => scene.boxOf({ kind: 'node', index });

test('down and up go along edges, and back to where one came from', () => {
  for (let box = 0; box < boxes.count; box++) {
    const reader = stepFrom(scene, box, 'reader', -1);
    if (boxes.kind[box] !== 0 || reader < 0) continue;
    assert.ok(
      Array.from({ length: edges.count }, (_, i) => i).some((i) => edges.from[i] === box && edges.to[i] === reader),
    );
    assert.is(stepFrom(scene, reader, 'producer', box), box);
  }
});

test('left and right go to the next box of the same layer in the same module, and end there', () => {
  const [a, b] = [node(0), node(1)];
  assert.is(stepFrom(scene, a, 'after', -1), b);
  assert.is(stepFrom(scene, b, 'before', -1), a);
  assert.is(stepFrom(scene, a, 'before', -1), -1);
  assert.is(stepFrom(scene, node(5), 'after', -1), -1, 'the next lies in another module');
});

test('from the head of an open module one goes into it, and from its first nodes out to it', () => {
  const frame = scene.boxOf({ kind: 'module', index: 0 });
  const first = stepFrom(scene, frame, 'reader', -1);
  assert.is(first, firstIn(scene, frame));
  assert.is(boxes.parent[first], frame);
  assert.is(stepFrom(scene, first, 'producer', -1), frame);
});

test('every box is hit in its middle, signs where they are drawn, edges between boxes', () => {
  for (let box = 0; box < boxes.count; box++) {
    const { x, y, width } = boxRectangle(scene, box);
    const isFrame = boxes.kind[box] === 2;
    const hit = isFrame ? hitAt(scene, x + 14, y + 14, 1) : hitAt(scene, x + width / 2, y + 14, 1);
    assert.equal(hit?.target, targetOfBox(boxes, box));
    assert.is(hit?.sign, isFrame);
  }
  const { x, y, width, height } = boxRectangle(scene, node(7));
  assert.equal(hitAt(scene, x + width / 2 + 3, y + height + 10, 1), {
    target: { kind: 'value', index: 7 },
    sign: false,
  });
  assert.is(hitAt(scene, -500, -500, 1), undefined);
});

test('a neighbourhood is what the edges say', () => {
  for (const index of [0, 60, 150]) {
    const box = node(index);
    const { upstream, downstream, boxes: near } = neighbourhood(scene, { kind: 'node', index });
    const all = Array.from({ length: edges.count }, (_, i) => i);
    assert.equal(
      upstream,
      all.filter((i) => edges.to[i] === box),
    );
    assert.equal(
      downstream,
      all.filter((i) => edges.from[i] === box),
    );
    const ends = [...upstream.map((i) => edges.from[i]), ...downstream.map((i) => edges.to[i]), box];
    assert.equal(new Set(near), new Set(ends));
  }
});

test.run();
