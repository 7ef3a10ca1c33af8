import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sharedFolder } from '../shared-data.js';
import { skipped } from '../skipped.js';
import { tier } from '../tier.js';
import { agrees } from './agrees.js';
import { packedPackage, peers } from './packed-package.js';
import { serve } from './site.js';
import { startWorkerd } from './workerd.js';

const test = suite("Cloudflare's workerd");
const installed = peers();
const workerd = installed && join(installed, '@cloudflare/workerd-linux-64/bin/workerd');

const KERNELS = '(name = "sardonyx/sardonyx.simd.wasm", wasm = embed "node_modules/sardonyx/build/sardonyx.simd.wasm")';

const runsOnce = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
    (name = "worker.js", esModule = embed "cloudflare-bundle/cloudflare.js"),
    ${KERNELS},
    (name = "model.onnx", data = embed "model.onnx"),
    (name = "model.json", json = embed "model.json"),
    (name = "rare.onnx", data = embed "rare.onnx"),
    (name = "rare.json", json = embed "rare.json"),
  ],
);
`;

const serves = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [(name = "worker.js", esModule = embed "cloudflare-bundle/cloudflare-memory.js"), ${KERNELS}],
);
`;

/** Megabytes that Cloudflare gives an isolate. */
const LIMIT = 128;

/** Real networks for images of 224×224: the one that takes more memory, and another. */
const NAMES = tier === 'all' ? ['mobilenet_v2', 'squeezenet1_1'] : ['mobilenet_v2'];

const NETWORKS = NAMES.flatMap((name) => {
  const folder = sharedFolder(`models/${name}`);
  return folder ? [{ name, folder }] : [];
});

/** Megabytes of a process that no file backs. */
const anonymous = (pid: number | undefined) =>
  Number(/^RssAnon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

if (installed && workerd && existsSync(workerd)) {
  const { folder: cwd } = packedPackage();

  test.before(async () => {
    const { build } = await import(pathToFileURL(join(installed, 'esbuild/lib/main.js')).href);
    await build({
      absWorkingDir: cwd,
      entryPoints: ['cloudflare.js', 'cloudflare-memory.js'],
      outdir: 'cloudflare-bundle',
      bundle: true,
      format: 'esm',
      external: ['*.wasm', '*.onnx', '*.json'],
    });
    writeFileSync(join(cwd, 'once.capnp'), runsOnce);
    writeFileSync(join(cwd, 'serves.capnp'), serves);
  });

  test('the kernels as an imported module', () => {
    const output = execFileSync(workerd, ['test', 'once.capnp'], { cwd, encoding: 'utf8', stdio: 'pipe' });
    const { refusal, rare, module, path } = JSON.parse(output);
    assert.is(refusal.code, 'INVALID_ARGUMENT');
    assert.match(refusal.message, "import kernels from 'sardonyx/sardonyx.simd.wasm'; env.wasm.source = kernels");
    assert.not.match(refusal.message, 'sardonyx/inline');
    agrees(rare);
    agrees(module);
    agrees(path);
  });

  if (NETWORKS.length === 0) skipped('the memory of real networks, which are not there');
  for (const { name: network, folder } of NETWORKS)
    test(`${network} stays within the memory of an isolate`, async () => {
      const site = await serve(folder);
      const server = await startWorkerd(workerd, cwd, 'serves.capnp');
      try {
        const { pid } = server.process;
        const idle = anonymous(pid);
        const run = () => fetch(`${server.address}?model=${site.address}/model.onnx`);
        assert.ok((await run()).ok);
        const first = anonymous(pid) - idle;
        for (let i = 0; i < 30; i++) await run();
        const later = anonymous(pid) - idle;
        console.log(`${network}: ${first.toFixed(0)} MB after a run, ${later.toFixed(0)} MB after 31`);
        assert.ok(Math.max(first, later) <= LIMIT);
      } finally {
        server.process.kill();
        site.close();
      }
    });
}

test.run();
