import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { zipSync } from 'fflate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { backendTests } from '../conformance/suite.js';
import { byTier, sample } from '../tier.js';
import { chromium } from './chromium.js';
import { packedPackage, peers } from './packed-package.js';
import { otherEngines } from './runtimes.js';
import { serve } from './site.js';

/** ONNX's backend tests, or a sample of them, by the package itself as its reader would run them. */
const test = suite('conformance on every platform');
const installed = peers();
const all = backendTests();
const GROUPS = ['node', 'simple', 'pytorch-operator', 'pytorch-converted'];
const CASES = byTier({ quick: 20, ci: 60, all: Number.POSITIVE_INFINITY });

interface Found {
  readonly host: string;
  readonly totals: Readonly<Record<string, number>>;
  readonly milliseconds: number;
  readonly others: readonly string[];
}

/** Two hosts at a time: all cases take each some 15 s of one core. */
const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];

/** A test that waits for what begins as soon as a lane is free. */
function inLane(name: string, run: () => Promise<Found>): void {
  const begun = (lanes.shift() as Promise<unknown>).then(run);
  lanes.push(begun.catch(() => {}));
  test(name, async () => expectAll(await begun));
}

let cases = 0;

function expectAll({ host, totals, milliseconds, others }: Found): void {
  console.log(`${host}: ${totals.passed} of ${totals.cases} cases passed, ${(milliseconds / 1000).toFixed(1)} s`);
  assert.equal(others, []);
  assert.equal(totals, { cases, passed: cases, failed: 0, refused: 0 });
}

if (installed) {
  const { folder: cwd } = packedPackage();
  const root = join(cwd, 'backend-tests');
  const folders = GROUPS.flatMap((group) => readdirSync(join(all, group)).map((name) => join(group, name)));
  for (const folder of sample(folders, CASES)) cpSync(join(all, folder), join(root, folder), { recursive: true });
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(onnx|pb)$/.test(path))
    .map((path) => [path, readFileSync(join(root, path))] as const);
  writeFileSync(join(cwd, 'suite.zip'), zipSync(Object.fromEntries(files), { level: 1 }));
  cases = files.filter(([path]) => path.endsWith('.onnx')).length;

  const output = async (command: string, args: readonly string[]): Promise<Found> =>
    JSON.parse((await promisify(execFile)(command, [...args], { cwd, timeout: 600_000 })).stdout);

  // This Node runs the suite in test/conformance.
  for (const { name, command, args } of otherEngines(installed))
    inLane(name, () => output(command, [...args, 'conformance-script.mjs', root]));

  const workerd = join(installed, '@cloudflare/workerd-linux-64/bin/workerd');
  if (existsSync(workerd))
    inLane("Cloudflare's workerd", async () => {
      const { build } = await import(pathToFileURL(join(installed, 'esbuild/lib/main.js')).href);
      await build({
        absWorkingDir: cwd,
        entryPoints: ['conformance-worker.js'],
        outdir: 'conformance-bundle',
        bundle: true,
        format: 'esm',
        external: ['*.wasm', '*.zip'],
      });
      writeFileSync(join(cwd, 'conformance.capnp'), CONFIG);
      return output(workerd, ['test', 'conformance.capnp']);
    });

  const launch = chromium();
  if (launch)
    inLane('Chromium', async () => {
      const [site, browser] = [await serve(cwd), await launch()];
      try {
        const page = await browser.newPage();
        await page.goto(`${site.address}/page?script=conformance-page.js&policy=none`);
        return await page.evaluate<Found>('globalThis.outcome');
      } finally {
        await browser.close();
        site.close();
      }
    });
}

const BINARIES = ['sardonyx.simd', 'quantized.simd', 'jpeg-decoder', 'webp-decoder'].map(
  (name) => `(name = "sardonyx/${name}.wasm", wasm = embed "node_modules/sardonyx/build/${name}.wasm"),`,
);

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
    (name = "worker.js", esModule = embed "conformance-bundle/conformance-worker.js"),
    ${BINARIES.join('\n    ')}
    (name = "suite.zip", data = embed "suite.zip"),
  ],
);
`;

test.run();
