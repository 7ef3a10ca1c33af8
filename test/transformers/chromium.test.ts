import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Consumer } from '../installed-package.js';
import type { Dtype } from '../layouts/dtypes/index.js';
import { writeRepository } from '../layouts/repository.js';
import { LAYOUTS, SPEAKERS } from '../layouts/tiny.js';
import { assertAnswers } from './agreement.js';
import { hasChromium, resultOf } from './browser.js';
import { installedPeers } from './peers.js';
import { printed, siteOf, withTransformers } from './with-transformers.js';

interface Answers {
  readonly versions: Record<string, string>;
  readonly answers: readonly unknown[];
}

interface Question {
  readonly model: string;
  readonly task: string;
  readonly dtype: Dtype;
  readonly side?: number;
}

interface Turn {
  readonly said: readonly number[];
  readonly anew: readonly number[];
}

interface Streamed {
  readonly said: readonly number[];
  readonly tokens: readonly number[];
  readonly pieces: readonly string[];
}

interface Context {
  consumer: Consumer;
  expected: Answers;
  onWasm: Answers;
  byDefault: Answers;
}

const chromium = suite<Context>('layouts in Chromium');
const peers = installedPeers();

const PROGRAMS = ['layouts.js', 'conversation.js', 'layouts-witness.js', 'layouts-page.js'];

/** Tokens, in conversation.js. */
const INTERRUPTED_AFTER = 6;

/** What transformers.js takes of itself in a browser. */
const DEFAULT: Dtype = 'q8';

const questions: readonly Question[] = [
  ...LAYOUTS,
  ...SPEAKERS.map((layout) => ({ ...layout, task: 'conversation' })),
].flatMap(({ model, task, dtypes, side }) => dtypes.map((dtype) => ({ model, task, dtype, ...(side && { side }) })));

const usual = questions.filter(({ dtype }) => dtype === DEFAULT);

chromium.before(async (context) => {
  if (!peers || !hasChromium()) return;
  context.consumer = withTransformers(peers, PROGRAMS);
  const models = join(context.consumer.folder, 'models/');
  for (const { model, repository, dtypes } of LAYOUTS) writeRepository(join(models, model), repository, dtypes);
  context.expected = printed(context.consumer, 'layouts-witness.js', models, JSON.stringify(questions));
  const site = await siteOf(context.consumer, ['layouts-page.js']);
  const answers = async (asked: readonly object[]): Promise<Answers> => {
    writeFileSync(join(site[''], 'questions.json'), JSON.stringify(asked));
    return (await resultOf(peers, { ...site, models }, 'index.html')) as Answers;
  };
  context.onWasm = await answers(questions.map((question) => ({ ...question, device: 'wasm' })));
  context.byDefault = await answers(usual.map(({ dtype, ...question }) => question));
});

chromium.after((context) => context.consumer?.remove());

if (peers && hasChromium()) {
  for (const [i, question] of questions.entries()) {
    const name = `${question.model}, ${question.task}, ${question.dtype}`;
    chromium(`${name} gives on the device wasm what it gives with onnxruntime-node`, ({ expected, onWasm }) => {
      assert.ok('sardonyx' in onWasm.versions && !('sardonyx' in expected.versions));
      assertAnswers(onWasm.answers[i], expected.answers[i], question, name);
    });
  }

  for (const [i, question] of usual.entries())
    chromium(
      `${question.model}, ${question.task} gives the same where no device and no dtype is asked for`,
      (context) => {
        const { byDefault, onWasm } = context;
        assert.equal(byDefault.answers[i], onWasm.answers[questions.indexOf(question)]);
      },
    );

  for (const [i, { model, task, dtype }] of questions.entries())
    if (task === 'conversation')
      chromium(`${model} in ${dtype} is interrupted, and goes on with its cache as without`, ({ onWasm }) => {
        const [first, ...turns] = onWasm.answers[i] as [Streamed, ...Turn[]];
        assert.is(first.tokens.length, INTERRUPTED_AFTER);
        assert.equal(first.said.slice(-INTERRUPTED_AFTER), first.tokens);
        assert.ok(first.pieces.length > 0);
        assert.is(turns.length, 3);
        // What q8 rounds depends on what is run together: onnxruntime says other things without its cache, too.
        if (dtype !== 'q8') for (const { said, anew } of turns) assert.equal(said, anew);
      });
}

chromium.run();
