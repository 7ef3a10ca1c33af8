import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Consumer } from '../installed-package.js';
import { writeRepository } from '../layouts/repository.js';
import { LAYOUTS, SPEAKERS } from '../layouts/tiny.js';
import { assertAnswers } from './agreement.js';
import { installedPeers } from './peers.js';
import { printed, withTransformers } from './with-transformers.js';

interface Answers {
  readonly versions: Record<string, string>;
  readonly answers: readonly unknown[];
}

interface Context {
  consumer: Consumer;
  expected: Answers;
  actual: Answers;
}

const layouts = suite<Context>('layouts in pipelines');
const peers = installedPeers();

const PROGRAMS = ['layouts.js', 'conversation.js', 'layouts-witness.js', 'layouts-replaced.js', 'before.js'];

const questions = [
  ...LAYOUTS.flatMap(({ model, task, dtypes }) => dtypes.map((dtype) => ({ model, task, dtype }))),
  ...SPEAKERS.flatMap(({ model, dtypes }) => dtypes.map((dtype) => ({ model, task: 'conversation', dtype }))),
];

layouts.before((context) => {
  if (!peers) return;
  context.consumer = withTransformers(peers, PROGRAMS);
  const models = join(context.consumer.folder, 'models/');
  for (const { model, repository, dtypes } of LAYOUTS) writeRepository(join(models, model), repository, dtypes);
  const answers = (program: string): Answers => printed(context.consumer, program, models, JSON.stringify(questions));
  context.expected = answers('layouts-witness.js');
  context.actual = answers('layouts-replaced.js');
});

layouts.after((context) => context.consumer?.remove());

if (peers)
  for (const [i, question] of questions.entries()) {
    const name = `${question.model}, ${question.task}, ${question.dtype}`;
    layouts(`${name} gives what it gives with onnxruntime-node`, ({ actual, expected }) => {
      assert.ok('sardonyx' in actual.versions && !('sardonyx' in expected.versions));
      assertAnswers(actual.answers[i], expected.answers[i], question, name);
    });
  }

layouts.run();
