import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Consumer, consumer } from '../installed-package.js';
import type { Dtype } from '../layouts/dtypes/index.js';
import { writeRepository } from '../layouts/repository.js';
import { LAYOUTS } from '../layouts/tiny.js';
import { installedPeers } from './peers.js';

interface Answers {
  readonly versions: Record<string, string>;
  readonly answers: Record<string, unknown>;
}

interface Context {
  consumer: Consumer;
  expected: Answers;
  actual: Answers;
}

const here = fileURLToPath(new URL('.', import.meta.url));
const layouts = suite<Context>('layouts in pipelines');
const peers = installedPeers();

const SCRIPTS = ['layouts.js', 'layouts-witness.js', 'layouts-replaced.js', 'before.js'];

const questions = LAYOUTS.flatMap(({ model, task, dtypes }) => dtypes.map((dtype) => ({ model, task, dtype })));

layouts.before((context) => {
  if (!peers) return;
  context.consumer = consumer();
  const { folder } = context.consumer;
  for (const script of SCRIPTS) cpSync(join(here, script), join(folder, script));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(peers, '@huggingface'), join(folder, 'node_modules/@huggingface'));
  const models = join(folder, 'models/');
  for (const { model, repository, dtypes } of LAYOUTS) writeRepository(join(models, model), repository, dtypes);
  const answers = (script: string): Answers =>
    JSON.parse(
      execFileSync(process.execPath, [join(folder, script), models, JSON.stringify(questions)], {
        encoding: 'utf8',
        maxBuffer: 2 ** 26,
      }),
    );
  context.expected = answers('layouts-witness.js');
  context.actual = answers('layouts-replaced.js');
});

layouts.after((context) => context.consumer?.remove());

/** A half has 11 bits, and layers add what each of them rounds; an activation of 8 bits may fall to the other side of a tie. */
const TOLERANCE: Record<Dtype, number> = { fp32: 1e-4, fp16: 1e-2, q8: 1e-2, q4: 1e-3, q4f16: 1e-2 };

/** Samples are heard of phases, which are sums over time, and of angles, which are π or −π by the last bit. */
const SPEECH: Record<Dtype, number> = { fp32: 5e-3, fp16: 3e-2, q8: 3e-2, q4: 5e-3, q4f16: 5e-2 };

function assertAgree(actual: unknown, expected: unknown, tolerance: number, place: string): void {
  if (typeof expected === 'number') {
    assert.ok(Math.abs((actual as number) - expected) <= tolerance, `${place}: ${actual}, expected ${expected}`);
  } else if (typeof expected === 'object' && expected !== null) {
    assert.equal(Object.keys(actual as object), Object.keys(expected), place);
    for (const [key, value] of Object.entries(expected))
      assertAgree((actual as Record<string, unknown>)[key], value, tolerance, `${place}.${key}`);
  } else assert.is(actual, expected, place);
}

if (peers)
  for (const { model, task, dtype } of questions)
    layouts(`${model} in ${dtype} gives what it gives with onnxruntime-node`, ({ actual, expected }) => {
      const name = `${model}, ${dtype}`;
      assert.ok('sardonyx' in actual.versions && !('sardonyx' in expected.versions));
      assert.not.match(JSON.stringify(expected.answers[name]), /^\[\]$|null/);
      const tolerance = task === 'text-to-speech' ? SPEECH : TOLERANCE;
      assertAgree(actual.answers[name], expected.answers[name], tolerance[dtype], name);
    });

layouts.run();
