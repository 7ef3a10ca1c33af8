import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../../src/log/index.js';
import type { Entry } from '../../../studio/src/workers/contracts/log-entries.js';
import { type Format, formatOf } from '../../../studio/src/workers/logs/formats.js';
import { type LogFile, logFile, readNew } from '../../../studio/src/workers/logs/log-file.js';
import { entriesIn, FILES, file } from './logged.js';

const test = suite('logs that grow, and damaged ones');

/** The same numbers each time, from 0 to below `most`. */
function seeded(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

const started = (name: string): LogFile => logFile(name, formatOf(name) as Format);
const blobOf = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>]);

for (const name of FILES)
  test(`${name} in pieces of any size says the same`, async () => {
    const bytes = file(name);
    const whole = await entriesIn(bytes, name);
    const pieces = seeded(3);
    const [growing, found] = [started(name), [] as Entry[]];
    for (let size = 0; size < bytes.length; size += 1 + pieces(90))
      await readNew(growing, blobOf(bytes.subarray(0, size)), (entry) => found.push(entry));
    await readNew(growing, blobOf(bytes), (entry) => found.push(entry));
    assert.equal(found, whole);
    assert.is(growing.place.offset, bytes.length);
  });

test('a file that has less in it than was read is read anew', async () => {
  const bytes = file('torch.tfevents');
  const growing = started('torch.tfevents');
  let count = 0;
  const take = () => void count++;
  assert.not(await readNew(growing, blobOf(bytes), take));
  const first = count;
  assert.ok(await readNew(growing, blobOf(bytes.subarray(0, bytes.length - 100)), take));
  assert.ok(count > first && count < 2 * first);
});

/** Where the records of a file begin. */
function starts(bytes: Uint8Array): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const found = [];
  for (let at = 0; at < bytes.length; at += Number(view.getBigUint64(at, true)) + 16) found.push(at);
  return found;
}

test('damaged data cost a record, a damaged length all that follows', async () => {
  const bytes = file('torch.tfevents');
  const at = starts(bytes)[5] as number;
  const whole = await entriesIn(bytes, 'tfevents');
  for (const [offset, damaged, isBroken] of [
    [at + 14, 1, false],
    [at + 2, 0, true],
    [at + 9, 0, true],
  ] as const) {
    const changed = bytes.slice();
    changed[offset] = (changed[offset] as number) ^ 4;
    const read = started('tfevents');
    const found: Entry[] = [];
    await readNew(read, blobOf(changed), (entry) => found.push(entry));
    assert.equal([read.place.damaged, read.place.isBroken], [damaged, isBroken]);
    assert.is(found.length, isBroken ? 4 : whole.length - 1);
  }
});

test('10,000 damaged files are read to the end, and nothing is made up beyond their bytes', async () => {
  const random = seeded(11);
  const originals = FILES.map((name) => [name, file(name)] as const);
  let [entries, unreadable] = [0, 0];
  for (let i = 0; i < 10_000; i++) {
    const [name, bytes] = originals[i % originals.length] as (typeof originals)[number];
    const changed = damage(bytes, random);
    const read = started(name);
    let size = 0;
    await readNew(read, blobOf(changed), (entry) => {
      entries++;
      size += sizeOf(entry);
    });
    unreadable += read.unreadable;
    assert.ok(size <= 70 * changed.length + 1000, `${name}, ${i}: ${size} numbers of ${changed.length} bytes`);
    assert.ok(read.place.offset <= changed.length);
  }
  assert.ok(entries > 10_000 && unreadable > 100, `${entries} entries, ${unreadable} unreadable`);
});

/** Bytes changed, a part cut out or put in; half of the time VisualDL's checks do not help. */
function damage(bytes: Uint8Array, random: (most: number) => number): Uint8Array {
  const at = random(bytes.length);
  const kind = random(4);
  if (kind === 0) return bytes.subarray(0, at);
  if (kind === 1) return Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + 1 + random(20))]);
  if (kind === 2) return Uint8Array.from([...bytes.subarray(0, at), random(256), ...bytes.subarray(at)]);
  const changed = bytes.slice();
  for (let n = 1 + random(8); n > 0; n--) changed[random(bytes.length)] = random(256);
  return changed;
}

/** How many numbers and bytes an entry holds. */
function sizeOf(entry: Entry): number {
  switch (entry.kind) {
    case 'histogram':
      return entry.buckets.length;
    case 'image':
      return entry.files.reduce((sum, { length }) => sum + length, 0);
    case 'text':
      return entry.texts.reduce((sum, { length }) => sum + length, 0);
    case 'embedding':
      return entry.vectors.length;
    default:
      return 1;
  }
}

test('a record larger than what is read at a time, and one that is only announced', async () => {
  const log = createLog();
  log.text('long', 'x'.repeat(5_000_000), 0);
  log.scalar('after', 1, 0);
  await log.close();
  const bytes = log.bytes();
  const entries = await entriesIn(bytes as Uint8Array<ArrayBuffer>, 'tfevents');
  assert.equal(
    entries.map(({ tag }) => tag),
    ['long', 'after'],
  );
  const vast = new Uint8Array(100);
  new DataView(vast.buffer).setBigUint64(0, 2n ** 63n, true);
  const read = started('vdlrecords');
  await readNew(read, blobOf(vast), () => assert.unreachable());
  assert.is(read.place.offset, 0);
});

test.run();
