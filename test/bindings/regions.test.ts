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

test.run();
