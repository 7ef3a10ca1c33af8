import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Regions } from '../../bindings/regions.js';

const test = suite('regions');

test('the lowest gap that fits is reused', () => {
  const regions = new Regions(64);
  const [a, b, c] = [regions.allocate(100), regions.allocate(64), regions.allocate(1)];
  assert.equal([a, b, c], [64, 192, 256]);
  regions.free(a as number);
  assert.is(regions.allocate(200), 320);
  assert.is(regions.allocate(128), 64);
  assert.is(regions.end, 576);
});

test('a region makes way for others, or stays where these cannot be had', () => {
  const regions = new Regions(64);
  const [first, behind] = [regions.allocate(64), regions.allocate(64)] as [number, number];
  assert.throws(() =>
    regions.instead(first, () => {
      assert.is(regions.allocate(64), first);
      throw new Error('no memory');
    }),
  );
  assert.is(regions.allocate(64), 192);
  regions.free(192);
  const two = regions.instead(behind, () => [regions.allocate(64), regions.allocate(1000)]);
  assert.equal(two, [behind, 192]);
  assert.is(regions.bytes, 64 + 64 + 1024);
});

test.run();
