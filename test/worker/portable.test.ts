import { once } from 'node:events';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { portableSource } from '../../src/remote/worker/portable.js';
import { arrived, type SentStream, send } from '../../workers/streams.js';
import { expectRejection } from '../expect-error.js';

const test = suite("a model's bytes on their way to a worker");
const MEBIBYTE = 2 ** 20;

test('are copied a piece at a time, other things having their turn', async () => {
  const model = Uint8Array.from({ length: 13 * MEBIBYTE + 5 }, (_, i) => i % 251);
  let [turns, isOver] = [0, false];
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const cargo = { buffers: new Set<Transferable>(), streams: new Set<SentStream>() };
  const copy = (await portableSource(model, cargo, 'copy')) as Uint8Array;
  isOver = true;
  assert.ok(turns >= 3, `${turns} turns`);
  assert.is(Buffer.compare(copy, model), 0);
  assert.is.not(copy.buffer, model.buffer);
  assert.equal([...cargo.buffers], [copy.buffer]);
});

test('go themselves when they are handed over, and are shared where their memory is', async () => {
  const cargo = { buffers: new Set<Transferable>(), streams: new Set<SentStream>() };
  const model = new Uint8Array(8);
  assert.is(await portableSource(model, cargo, 'transfer'), model);
  assert.is(cargo.buffers.size, 1);
  const shared = new Uint8Array(new SharedArrayBuffer(8));
  assert.is(await portableSource(shared, cargo, 'copy'), shared);
  assert.is(cargo.buffers.size, 1);
});

/** A stream as it comes out of a worker's port. */
async function throughPort(stream: ReadableStream<Uint8Array>) {
  const { port, end } = send(stream);
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(port, [port]);
  const [sent] = (await once(port2, 'message')) as [MessagePort];
  for (const each of [port1, port2]) each.close();
  return { stream: arrived(sent) as ReadableStream<Uint8Array>, end };
}

const streamOf = (pieces: readonly unknown[]) => {
  const rest = [...pieces];
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = rest.shift();
        if (piece instanceof Error) controller.error(piece);
        else if (piece === undefined) controller.close();
        else controller.enqueue(piece as Uint8Array);
      },
    },
    { highWaterMark: 0 },
  );
};

test('streams go piece by piece, and leave the bytes of their owner', async () => {
  const all = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
  const pieces = [all.subarray(0, 10), all.subarray(10, 11), all.subarray(11, 11), all.subarray(11)];
  const { stream } = await throughPort(streamOf(pieces));
  const got: number[] = [];
  for await (const piece of stream) {
    assert.is(piece.buffer.byteLength, piece.length);
    got.push(...piece);
  }
  assert.equal(got, [...all]);
  assert.is(all.length, 1000);
});

test('a stream of nothing ends; one that fails fails, for the same reason', async () => {
  const empty = await throughPort(streamOf([]));
  assert.equal(await empty.stream.getReader().read(), { done: true, value: undefined });
  const { stream } = await throughPort(streamOf([Uint8Array.of(1), new TypeError('the line is dead')]));
  const reader = stream.getReader();
  await reader.read();
  const failed: unknown = await reader.read().catch((reason) => reason);
  assert.instance(failed, Error);
  assert.equal([(failed as Error).name, (failed as Error).message], ['TypeError', 'the line is dead']);
});

/** A stream without end, and how it ends once it is `left`: a piece may be on its way by then, but no other is asked for. */
function endless() {
  let [pulls, isLeft] = [0, false];
  let ahead: () => void = () => {};
  let over: (how: string) => void = () => {};
  const isAhead = new Promise<void>((resolve) => {
    ahead = resolve;
  });
  const ended = new Promise<string>((resolve) => {
    over = resolve;
  });
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isLeft) over('asked for more');
        controller.enqueue(Uint8Array.of(++pulls));
        if (pulls === 2) ahead();
      },
      cancel: () => over('cancelled'),
    },
    { highWaterMark: 0 },
  );
  /** Settles when the piece that follows the first has been asked for, too. */
  const leave = async () => {
    await isAhead;
    isLeft = true;
  };
  return { stream, leave, ended };
}

test('a stream stops where its reader does, or the sender', async () => {
  for (const how of ['reader', 'sender'] as const) {
    const source = endless();
    const { stream, end } = await throughPort(source.stream);
    const reader = stream.getReader();
    await reader.read();
    await source.leave();
    if (how === 'reader') await reader.cancel();
    else end();
    assert.is(await source.ended, 'cancelled', how);
  }
});

test('a stream that another reads is refused', async () => {
  const stream = streamOf([]);
  stream.getReader();
  const cargo = { buffers: new Set<Transferable>(), streams: new Set<SentStream>() };
  await expectRejection('INVALID_ARGUMENT', /is locked by another reader/, portableSource(stream, cargo, 'copy'));
});

test.run();
