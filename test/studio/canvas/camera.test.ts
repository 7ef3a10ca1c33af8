import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  between,
  type Camera,
  centering,
  fitted,
  freePart,
  isInSight,
  kept,
  LEAST_ZOOM,
  MOST_ZOOM,
  resized,
  windowOf,
  zoomedAbout,
} from '../../../studio/src/canvas/view/camera.js';

const test = suite('studio/canvas: cameras');

const SCREEN = { width: 1000, height: 600 };
const PICTURE = { width: 4000, height: 9000 };
const near = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-6 * Math.max(1, Math.abs(b)), `${a} is not ${b}`);
const under = ({ scale, x, y }: Camera, px: number, py: number) => [(px - x) / scale, (py - y) / scale] as const;

test('zooming keeps what is under the pointer, between the least and the largest zoom', () => {
  let camera: Camera = { scale: 0.7, x: -120, y: 33 };
  const [x, y] = under(camera, 321, 123);
  for (const factor of [1.3, 0.2, 0.4, 9, 1.01]) camera = zoomedAbout(camera, 321, 123, factor, 1);
  const [laterX, laterY] = under(camera, 321, 123);
  near(laterX, x);
  near(laterY, y);
  assert.is(zoomedAbout(camera, 0, 0, 1e9, 1).scale, MOST_ZOOM);
  assert.is(zoomedAbout(camera, 0, 0, 1e-9, 1).scale, LEAST_ZOOM);
  assert.is(zoomedAbout(camera, 0, 0, 1e-9, 0.001).scale, 0.001);
});

test('all of a picture fits, in the middle, never larger than it is', () => {
  const { scale, x, y } = fitted(PICTURE, SCREEN);
  near(scale, (600 - 96) / 9000);
  near(x * 2 + 4000 * scale, 1000);
  near(y * 2 + 9000 * scale, 600);
  assert.is(fitted({ width: 10, height: 10 }, SCREEN).scale, 1);
});

test('a picture cannot be lost out of sight', () => {
  for (const far of [-1e7, 1e7]) {
    const seen = windowOf(kept({ scale: 2, x: far, y: far }, PICTURE, SCREEN), SCREEN);
    assert.ok(seen.x < PICTURE.width && seen.x + seen.width > 0 && seen.y < PICTURE.height && seen.y + seen.height > 0);
  }
});

test('what is brought into view comes to the middle, and can be read there', () => {
  const box = { x: 3900, y: 20, width: 100, height: 30 };
  const found = centering({ scale: 0.7, x: 0, y: 0 }, box, SCREEN);
  assert.is(found.scale, 0.7);
  near(3950 * 0.7 + found.x, 500);
  near(35 * 0.7 + found.y, 300);
  assert.is(centering({ scale: 0.05, x: 0, y: 0 }, box, SCREEN).scale, 0.5);
  const module = { x: 0, y: 0, width: 1500, height: 300 };
  near(centering({ scale: 1, x: 0, y: 0 }, module, SCREEN).scale, (1000 - 48) / 1500);
  const large = centering({ scale: 1, x: 0, y: 0 }, { x: 200, y: 100, width: 9000, height: 9000 }, SCREEN);
  assert.equal([large.scale, large.scale * 200 + large.x, large.scale * 100 + large.y], [0.5, 24, 48]);
});

test('walls are no part of the screen that is free, and what lies behind something is not in sight', () => {
  const details = { x: 700, y: 0, width: 300, height: 600 };
  const sheet = { x: 0, y: 400, width: 1000, height: 200 };
  const map = { x: 800, y: 400, width: 168, height: 180 };
  assert.equal(freePart(SCREEN, [details]), { x: 0, y: 0, width: 700, height: 600 });
  assert.equal(freePart(SCREEN, [sheet]), { x: 0, y: 0, width: 1000, height: 400 });
  const all = freePart(SCREEN, [map]);
  assert.equal(all, { x: 0, y: 0, width: 1000, height: 600 });
  assert.ok(isInSight({ x: 10, y: 10, width: 100, height: 30 }, all, [map]));
  assert.not.ok(isInSight({ x: 750, y: 450, width: 100, height: 30 }, all, [map]));
  assert.not.ok(isInSight({ x: 950, y: 10, width: 100, height: 30 }, all, []));
});

test('a flight begins and ends where it should, and keeps what both ends keep', () => {
  const a = { scale: 0.25, x: 10, y: 20 };
  const b = zoomedAbout(a, 500, 300, 8, 1);
  const [x, y] = under(a, 500, 300);
  for (const part of [0, 0.3, 0.7, 1]) {
    const [onX, onY] = under(between(a, b, part), 500, 300);
    near(onX, x);
    near(onY, y);
  }
  assert.equal(between(a, b, 1), b);
  near(between(a, b, 0).scale, a.scale);
});

test('where the screen grows or shrinks, the middle stays, and what was seen whole still is', () => {
  const narrow = { width: 400, height: 600 };
  const camera: Camera = { scale: 0.7, x: -120, y: 33 };
  const [x, y] = under(camera, 500, 100);
  const [laterX, laterY] = under(resized(camera, PICTURE, SCREEN, narrow), 200, 100);
  near(laterX, x);
  near(laterY, y);
  const small = { width: 800, height: 300 };
  assert.equal(resized(fitted(small, SCREEN), small, SCREEN, narrow), fitted(small, narrow));
  assert.equal(resized(fitted(small, SCREEN), small, SCREEN, { width: 1200, height: 800 }), {
    scale: 1,
    x: 200,
    y: 250,
  });
});

test.run();
