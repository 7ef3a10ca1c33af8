import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession, type MemoryPlan } from '../../src/index.js';
import { firstDataSet } from '../first-data-set.js';
import { networks, readProto } from '../toolkit/check/models.js';
import { nodesOfFile } from './nodes-of-file.js';

const test = suite('the memory plan as a picture');

type Buffer = MemoryPlan['buffers'][number];

const meet = (a: Buffer, b: Buffer) =>
  a.first <= b.last && b.first <= a.last && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;

/** Bytes of buffers that are alive at one step, in blocks of 64. */
const aliveAt = (buffers: readonly Buffer[], at: number) =>
  buffers.reduce(
    (sum, { first, last, bytes }) => sum + (first <= at && at <= last ? Math.ceil(bytes / 64) * 64 : 0),
    0,
  );

for (const path of networks())
  test(`${path.split('/').at(-2)}: no two buffers meet, and each leads to nodes of the file`, async () => {
    const proto = readProto(path);
    await using session = await InferenceSession.create(readFileSync(path), { enableProfiling: true });
    await session.run(firstDataSet(path, proto, 'input'));
    const { buffers, values, peak, lowerBound, steps } = session.memoryPlan as MemoryPlan;
    for (const [i, a] of buffers.entries())
      for (const b of buffers.slice(i + 1)) assert.not.ok(meet(a, b), `${a.values} and ${b.values}`);
    assert.ok(buffers.every(({ offset, bytes }) => offset >= 0 && offset + bytes <= peak));
    assert.ok(buffers.every(({ first, last }) => 0 <= first && first <= last && last <= steps + 1));
    const times = Array.from({ length: steps + 2 }, (_, at) => aliveAt(buffers, at));
    assert.is(Math.max(...times), lowerBound);

    const inputs = new Set(proto.graph?.input.map(({ name }) => name));
    const known = nodesOfFile(proto);
    for (const { values: names, origins } of buffers) {
      assert.ok(origins.length > 0 || names.some((name) => inputs.has(name)), `${names} lead nowhere`);
      for (const id of origins) assert.ok(known.has(id), id);
    }
    const held = new Set(buffers.flatMap(({ values: names }) => names));
    assert.equal(
      values.filter(({ name }) => !held.has(name)),
      [],
    );
    for (const { name, offset, bytes } of values)
      assert.ok(
        buffers.some(
          (own) => own.values.includes(name) && own.offset <= offset && offset + bytes <= own.offset + own.bytes,
        ),
        name,
      );
  });

test.run();
