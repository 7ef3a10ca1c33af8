import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leading } from '../tier.js';
import { type Browser, launch } from './studio-page.js';
import { patient } from './waiting.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli.js');
const model = join(root, 'examples/digits/model.onnx');

const test = leading(suite<{ folder: string; browser: Browser }>('studio/serving'), { ci: 2 });
test.before(async (context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'sardonyx-studio-'));
  context.browser = await launch();
});
test.after(async ({ folder, browser }) => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

test('the command says where the studio is to be had', ({ folder }) => {
  const { status, stderr } = spawnSync(process.execPath, [cli, 'studio'], { cwd: folder, encoding: 'utf8' });
  assert.is(status, 2);
  assert.match(stderr, /sardonyx-studio is not installed in this project; run npm install sardonyx-studio/);
  const missing = spawnSync(process.execPath, [cli, 'studio', 'none.onnx'], { cwd: folder, encoding: 'utf8' });
  assert.is(missing.status, 2);
  assert.match(missing.stderr, /"none.onnx" does not exist/);
});

/** Runs a command that serves until it is ended, and gives the address that it prints. */
async function served(args: readonly string[], cwd: string, use: (address: string) => Promise<void>): Promise<void> {
  const server = spawn(process.execPath, args, { cwd });
  try {
    const said = await new Promise<string>((resolve, reject) => {
      server.stdout.once('data', (bytes) => resolve(`${bytes}`));
      server.stderr.once('data', (bytes) => reject(new Error(`${bytes}`)));
    });
    await use(/http:\S+/.exec(said)?.[0] ?? said);
  } finally {
    server.kill();
  }
}

for (const [name, args] of [
  ['sardonyx studio', [cli, 'studio', 'model.onnx']],
  ['sardonyx-studio', [join(root, 'studio/cli.js'), 'model.onnx']],
] as const)
  test(`${name} serves the page with a model, and nothing outside its folder`, async ({ folder, browser }) => {
    const project = join(folder, `project of ${name}`);
    mkdirSync(join(project, 'node_modules'), { recursive: true });
    symlinkSync(join(root, 'studio'), join(project, 'node_modules/sardonyx-studio'), 'dir');
    cpSync(model, join(project, 'model.onnx'));
    await served(args, project, async (address) => {
      const page = await patient(await browser.newContext()).newPage();
      await page.goto(address);
      await page.getByRole('heading', { name: 'model.onnx' }).waitFor();
      assert.ok(await page.evaluate('crossOriginIsolated'));
      const { origin } = new URL(address);
      for (const path of ['/model/..%2F..%2Fetc%2Fpasswd', '/..%2fpackage.json', '/%00', '/model/%E0%A4%A'])
        assert.ok((await fetch(origin + path)).status >= 400, path);
      const { headers } = await fetch(origin);
      assert.match(
        headers.get('content-security-policy') ?? '',
        /^default-src 'self'; script-src 'self' 'wasm-unsafe-eval'/,
      );
      await page.close();
    });
  });

test.run();
