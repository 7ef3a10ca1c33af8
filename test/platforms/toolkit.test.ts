import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as tools from '../../src/tools/index.js';
import { chromium } from './chromium.js';
import { packedPackage, peers } from './packed-package.js';
import { otherEngines } from './runtimes.js';
import { serve } from './site.js';

/** Every host's tools make the same bytes; that they are right, test/toolkit says. */
const test = suite('the toolkit on every platform');
const installed = peers();

if (installed) {
  const { folder: cwd } = packedPackage();
  const model = new Uint8Array(readFileSync(join(cwd, 'model.onnx')));
  const { hashes } = (await import(pathToFileURL(join(cwd, 'toolkit.js')).href)) as Hashing;
  const expected = await hashes(tools, model);

  for (const { name, command, args } of otherEngines(installed))
    test(name, async () => {
      const { stdout } = await promisify(execFile)(command, [...args, 'toolkit-script.mjs'], { cwd, timeout: 180_000 });
      assert.equal(JSON.parse(stdout), expected);
    });

  const workerd = join(installed, '@cloudflare/workerd-linux-64/bin/workerd');
  if (existsSync(workerd))
    test("Cloudflare's workerd", async () => {
      const { build } = await import(pathToFileURL(join(installed, 'esbuild/lib/main.js')).href);
      await build({
        absWorkingDir: cwd,
        entryPoints: ['toolkit-worker.js'],
        outdir: 'toolkit-bundle',
        bundle: true,
        format: 'esm',
        external: ['*.wasm', '*.onnx'],
      });
      writeFileSync(join(cwd, 'toolkit.capnp'), CONFIG);
      const output = execFileSync(workerd, ['test', 'toolkit.capnp'], { cwd, encoding: 'utf8', stdio: 'pipe' });
      assert.equal(JSON.parse(output), expected);
    });

  const launch = chromium();
  if (launch)
    test('Chromium, and a model in OPFS', async () => {
      const [site, browser] = [await serve(cwd), await launch()];
      try {
        const page = await browser.newPage();
        await page.goto(`${site.address}/page?script=toolkit-page.js&policy=none`);
        const found = await page.evaluate<Found>('globalThis.outcome');
        assert.equal(found.hashes, expected);
        assert.equal(found.kept.names, ['m.onnx', 'm.onnx.data']);
        assert.is(found.kept.aborted, 'ABORTED');
        const whole = await tools.saveModel(await tools.fromExternalData(await dividedAgain(model)));
        assert.equal(Uint8Array.from(found.kept.bytes), whole);
      } finally {
        await browser.close();
        site.close();
      }
    });
}

interface Hashing {
  readonly hashes: (of: typeof tools, bytes: Uint8Array) => Promise<Record<string, string>>;
}

interface Found {
  readonly hashes: Record<string, string>;
  readonly kept: { readonly names: string[]; readonly bytes: number[]; readonly aborted: string };
}

const dividedAgain = async (bytes: Uint8Array) =>
  tools.toExternalData(await tools.loadModel(bytes), { location: 'm.onnx.data', threshold: 0 });

const CONFIG = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [(name = "main", worker = .worker)]);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-11-01",
  modules = [
    (name = "worker.js", esModule = embed "toolkit-bundle/toolkit-worker.js"),
    (name = "model.onnx", data = embed "model.onnx"),
  ],
);
`;

test.run();
