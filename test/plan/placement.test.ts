import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Launch } from '../../src/backends/wasm/plan/launch.js';
import { lowerBound, placeBuffers } from '../../src/backends/wasm/plan/placement.js';
import { type Buffer, buffer } from '../../src/backends/wasm/plan/places.js';
import { barriersOf } from '../../src/backends/wasm/plan/program.js';
import { randomly } from '../session/run-model.js';

const test = suite('placement and barriers');

const ROUNDS = 60;

function randomBuffers(seed: number): Buffer[] {
  const next = randomly(seed);
  return Array.from({ length: 1 + Math.floor(next() * 60) }, () => {
    const first = Math.floor(next() * 40);
    const made = buffer(Math.floor(next() ** 3 * 5000));
    return Object.assign(made, { first, last: first + Math.floor(next() ** 2 * 15) });
  });
}

const liveTogether = (a: Buffer, b: Buffer) => a.first <= b.last && b.first <= a.last;

for (const guard of [0, 64, 192]) {
  test(`buffers alive together are ${guard} bytes apart at least, on boundaries of 64`, () => {
    for (let seed = 0; seed < ROUNDS; seed++) {
      const buffers = randomBuffers(seed);
      const peak = placeBuffers(buffers, guard);
      for (const [i, a] of buffers.entries()) {
        assert.is(a.offset % 64, 0, `seed ${seed}`);
        assert.ok(a.offset >= guard && a.offset + a.bytes + guard <= peak, `seed ${seed}: inside the arena`);
        for (const b of buffers.slice(0, i)) {
          if (!liveTogether(a, b) || a.bytes * b.bytes === 0) continue;
          const apart = a.offset + a.bytes + 2 * guard <= b.offset || b.offset + b.bytes + 2 * guard <= a.offset;
          assert.ok(apart, `seed ${seed}: buffers ${i} overlap`);
        }
      }
    }
  });
}

test('the peak is near the lower bound and never under it', () => {
  let [peaks, bounds] = [0, 0];
  for (let seed = 0; seed < ROUNDS; seed++) {
    const buffers = randomBuffers(seed);
    const peak = placeBuffers(buffers);
    assert.ok(peak >= lowerBound(buffers), `seed ${seed}`);
    peaks += peak;
    bounds += lowerBound(buffers);
  }
  assert.ok(peaks < 1.15 * bounds, `${peaks} against ${bounds}`);
});

test('buffers that are placed already stay', () => {
  for (let seed = 0; seed < ROUNDS; seed++) {
    const buffers = randomBuffers(seed);
    placeBuffers(buffers);
    const before = buffers.map((b) => b.offset);
    const more = randomBuffers(seed + 1000);
    placeBuffers([...buffers, ...more]);
    assert.equal(
      buffers.map((b) => b.offset),
      before,
    );
    for (const a of more)
      for (const b of buffers)
        if (liveTogether(a, b) && a.bytes * b.bytes > 0)
          assert.ok(a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset, `seed ${seed}`);
  }
});

test('two launches without a barrier between them do not conflict', () => {
  const overlap = (a: Buffer, b: Buffer) => a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
  for (let seed = 0; seed < ROUNDS; seed++) {
    const next = randomly(seed);
    const pick = (from: readonly Buffer[], n: number) =>
      Array.from({ length: n }, () => from[Math.floor(next() * from.length)] as Buffer);
    const memory = Array.from({ length: 12 }, () =>
      Object.assign(buffer(1 + Math.floor(next() * 200)), { offset: Math.floor(next() * 30) * 64 }),
    );
    const launches = Array.from({ length: 40 }, () => ({ reads: pick(memory, 2), writes: pick(memory, 1) }));
    const barriers = barriersOf(launches as unknown as Launch[]);
    let since = 0;
    for (const [i, { reads, writes }] of launches.entries()) {
      if (barriers[i]) since = i;
      for (const other of launches.slice(since, i)) {
        const conflict =
          writes.some((w) => [...other.reads, ...other.writes].some((o) => overlap(w, o))) ||
          reads.some((r) => other.writes.some((o) => overlap(r, o)));
        assert.not.ok(conflict, `seed ${seed}, launch ${i}`);
      }
    }
    assert.ok(barriers.filter(Boolean).length < launches.length, `seed ${seed}: barriers everywhere`);
  }
});

test.run();
