import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { freshEngine, guardsIntact, placeGuarded, runInSplits, variants } from './kernels.js';

for (const variant of variants) {
  const test = suite(`fill (${variant})`);

  test('every byte and no other', () => {
    const engine = freshEngine(variant);
    const bytes = 200_001;
    const y = placeGuarded(engine, new Uint8Array(bytes));
    runInSplits(engine, 'fill', { y, count: bytes, value: 7 }, Math.ceil(bytes / 65536), { address: y, bytes });
    assert.ok(engine.u8.subarray(y, y + bytes).every((b) => b === 7));
    assert.ok(guardsIntact(engine, y, bytes));
  });

  test.run();
}
