import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as sardonyx from '../../src/index.js';
import { MODEL, type Runtime, type Session, type Speaker } from './example.js';
import { losses, PASSAGE, PROMPTS, said, speakerOf } from './said.js';

interface Context {
  session: Session;
  speaker: Speaker;
}

const test = suite<Context>('the model of examples/chat');
const runtime = sardonyx as unknown as Runtime;

/** Of onnxruntime-node, written by witness.ts. */
const expected: { readonly texts: readonly string[]; readonly losses: readonly number[] } = JSON.parse(
  readFileSync(new URL('expected.json', import.meta.url), 'utf8'),
);

test.before(async (context) => {
  context.session = await runtime.InferenceSession.create(MODEL);
  context.speaker = speakerOf(runtime, context.session);
});
test.after(({ session }) => session.release());

test('finds a text as probable as onnxruntime does', async ({ session }) => {
  const actual = await losses(runtime, session, PASSAGE);
  assert.is(actual.length, expected.losses.length);
  const farthest = Math.max(...actual.map((loss, i) => Math.abs(loss - (expected.losses[i] as number))));
  assert.ok(farthest < 1e-3, `${farthest} nats from onnxruntime's`);
});

for (const [i, prompt] of PROMPTS.entries())
  test(`goes on from ${JSON.stringify(prompt)} as onnxruntime does`, async ({ speaker }) => {
    assert.is(await said(speaker, prompt), expected.texts[i]);
  });

test('remembers the later half of its context when that is full', async ({ speaker }) => {
  const text = await said(speaker, 'And', speaker.context + 20);
  assert.ok(text.length > speaker.context);
  assert.ok(speaker.length() <= speaker.context + 1, `${speaker.length()} tokens`);
});

test('begins a text of its own where it is told nothing', async ({ speaker }) => {
  assert.match(await said(speaker, '', 12), /^[\w ]+\n/);
});

test.run();
