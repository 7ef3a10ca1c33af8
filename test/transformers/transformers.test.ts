import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Consumer, consumer } from '../installed-package.js';
import { hasChromium, resultOf } from './browser.js';
import { writeModels } from './local-models.js';
import { installedPeers } from './peers.js';

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

const here = fileURLToPath(new URL('.', import.meta.url));
const transformers = suite<Context>('transformers.js');
const peers = installedPeers();

const runProgram = ({ consumer, models }: Context, name: string): Results =>
  JSON.parse(execFileSync(process.execPath, [join(consumer.folder, name), models], { encoding: 'utf8' }));

const SCRIPTS = ['pipelines.js', 'witness.js', 'replaced.js', 'before.js', 'page.js'];

transformers.before((context) => {
  if (!peers) return;
  context.consumer = consumer();
  const { folder } = context.consumer;
  for (const script of SCRIPTS) cpSync(join(here, script), join(folder, script));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(peers, '@huggingface'), join(folder, 'node_modules/@huggingface'));
  context.models = join(folder, 'models/');
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

/** A site of one page with these scripts, bundled. */
async function siteOf({ consumer, models }: Context, scripts: readonly string[], alias: Record<string, string>) {
  const site = join(consumer.folder, `site-${scripts.length}`);
  await build({
    absWorkingDir: consumer.folder,
    entryPoints: [...scripts],
    outdir: join(site, 'assets'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    alias,
    logLevel: 'error',
  });
  const tags = scripts.map((script) => `<script type="module" src="assets/${script}"></script>`);
  writeFileSync(join(site, 'index.html'), `<!doctype html><meta charset="utf-8">${tags.join('')}`);
  return { '': site, models, build: join(consumer.package, 'build') };
}

if (peers) {
  transformers('gives in Node what it gives with onnxruntime-node', (context) => {
    assertAgree(runProgram(context, 'replaced.js'), context.expected);
  });
}

if (peers && hasChromium()) {
  transformers('gives in Chromium what it gives with onnxruntime-node, aliased by the bundler', async (context) => {
    const alias = { 'onnxruntime-web': 'sardonyx/onnxruntime', 'onnxruntime-common': 'sardonyx/onnxruntime' };
    const site = await siteOf(context, ['page.js'], alias);
    assertAgree((await resultOf(peers, site, 'index.html')) as Results, context.expected);
  });

  transformers('gives in Chromium what it gives with onnxruntime-node, found through the symbol', async (context) => {
    const site = await siteOf(context, ['before.js', 'page.js'], {});
    assertAgree((await resultOf(peers, site, 'index.html')) as Results, context.expected);
  });
}

transformers.run();
