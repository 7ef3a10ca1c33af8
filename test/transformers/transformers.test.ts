import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Consumer } from '../installed-package.js';
import { hasChromium, resultOf } from './browser.js';
import { writeModels } from './local-models.js';
import { installedPeers } from './peers.js';
import { printed, siteOf, withTransformers } from './with-transformers.js';

interface Values {
  readonly dims: readonly number[];
  readonly data: readonly number[];
}

interface Results {
  readonly states: Values;
  readonly pooled: Values;
  readonly logits: Values;
  readonly tokens: readonly number[];
  readonly texts: readonly string[];
  readonly versions: Record<string, string>;
}

interface Context {
  consumer: Consumer;
  models: string;
  expected: Results;
}

const transformers = suite<Context>('transformers.js');
const peers = installedPeers();

const runProgram = ({ consumer, models }: Context, name: string): Results => printed(consumer, name, models);

const SCRIPTS = ['pipelines.js', 'witness.js', 'replaced.js', 'before.js', 'page.js'];

transformers.before((context) => {
  if (!peers) return;
  context.consumer = withTransformers(peers, SCRIPTS);
  context.models = join(context.consumer.folder, 'models/');
  writeModels(context.models);
  context.expected = runProgram(context, 'witness.js');
});

transformers.after((context) => context.consumer?.remove());

const TOLERANCE = 1e-4;

function assertAgree(actual: Results, expected: Results): void {
  assert.ok('sardonyx' in actual.versions && !('sardonyx' in expected.versions));
  for (const name of ['states', 'pooled', 'logits'] as const) {
    assert.equal(actual[name].dims, expected[name].dims);
    const far = expected[name].data.map((x, i) => Math.abs(x - (actual[name].data[i] as number)));
    assert.ok(Math.max(...far) < TOLERANCE, `${name} is ${Math.max(...far)} away`);
  }
  assert.equal(actual.tokens, expected.tokens);
  assert.equal(actual.texts, expected.texts);
}

if (peers) {
  transformers('gives in Node what it gives with onnxruntime-node', (context) => {
    assertAgree(runProgram(context, 'replaced.js'), context.expected);
  });
}

if (peers && hasChromium()) {
  transformers('gives in Chromium what it gives with onnxruntime-node, aliased by the bundler', async (context) => {
    const site = { ...(await siteOf(context.consumer, ['page.js'])), models: context.models };
    assertAgree((await resultOf(peers, site, 'index.html')) as Results, context.expected);
  });

  transformers('gives in Chromium what it gives with onnxruntime-node, found through the symbol', async (context) => {
    const scripts = await siteOf(context.consumer, ['before.js', 'page.js'], {});
    const site = { ...scripts, models: context.models };
    assertAgree((await resultOf(peers, site, 'index.html')) as Results, context.expected);
  });
}

transformers.run();
