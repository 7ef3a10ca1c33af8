import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as sardonyx from '../../src/onnxruntime/index.js';
import { type Answer, type Answers, ask, type Runtime } from './accepted/cases.js';

const test = suite('what onnxruntime-web lets pass');

const witnessed = JSON.parse(readFileSync(new URL('accepted/expected.json', import.meta.url), 'utf8')) as Answers;
const own = await ask(sardonyx as unknown as Runtime);

/** Of a scalar that is fed as [1] or [1, 1], the model sees a scalar: only the elements are the same. */
const compared = (name: string, answer: Answer) =>
  /^\[\] fed with \[(1,)*1\]$/.test(name) ? answer?.slice(1) : answer;

for (const part of ['feeds', 'tensors'] as const)
  test(`${part}: each passes, with the same result`, () => {
    const passing = Object.entries(witnessed[part]).filter(([, answer]) => answer !== null);
    assert.ok(passing.length > 50, `${passing.length}`);
    for (const [name, answer] of passing)
      assert.equal(compared(name, own[part][name] as Answer), compared(name, answer), name);
  });

/** What programs do not read, or what Sardonyx does not have on purpose. */
const ABSENT: Readonly<Record<string, readonly string[]>> = {
  'session.handler': ['fetchModelAndCopyToWasmMemory', 'loadModel', 'sessionId'],
  // transformers.js would load onnxruntime-web's files for that version.
  'env.versions': ['web'],
};

test('sessions, tensors and env have the same properties', () => {
  for (const [object, names] of Object.entries(witnessed.properties)) {
    const missing = names.filter((name) => !own.properties[object]?.includes(name));
    assert.equal(missing, ABSENT[object] ?? [], object);
  }
});

test.run();
