import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leading } from '../tier.js';
import { closeStudio, openStudio } from './studio-page.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const studio = fileURLToPath(new URL('../../studio', import.meta.url));

const test = leading(suite<{ folder: string }>('studio/package'), { ci: 1 });
test.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'sardonyx-studio-'));
});
test.after(closeStudio);
test.after(({ folder }) => rmSync(folder, { recursive: true }));

test('packed, it has the page, its licenses and all that its server imports', ({ folder }) => {
  const packing = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const [packed] = JSON.parse(execFileSync('npm', packing, { cwd: studio, encoding: 'utf8' }));
  const paths: string[] = packed.files.map(({ path }: { path: string }) => path);
  for (const path of ['dist/index.html', 'dist/service-worker.js', 'dist/licenses.txt', 'LICENSE', 'README.md'])
    assert.ok(paths.includes(path), path);
  console.log(
    `      ${(packed.size / 1e6).toFixed(2)} MB packed, ${(packed.unpackedSize / 1e6).toFixed(2)} MB unpacked`,
  );
  assert.ok(packed.size < 1.5e6);

  const installed = join(folder, 'installed');
  mkdirSync(installed);
  execFileSync('tar', ['-xf', join(folder, packed.filename), '-C', installed]);
  const cli = join(installed, 'package/cli.js');
  const { status, stderr } = spawnSync(process.execPath, [cli, 'none.onnx'], { encoding: 'utf8' });
  assert.is(status, 1);
  assert.match(stderr, /^sardonyx-studio: there is no "none.onnx"\n$/);
});

const NPM = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];

/** The two packages, packed as they are published, and installed in a folder that has nothing but a model. */
function installedIn(folder: string): string {
  const project = join(folder, 'empty project');
  mkdirSync(project);
  const tarballs = [root, studio].map((cwd) => {
    const [packed] = JSON.parse(
      execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
        cwd,
        encoding: 'utf8',
      }),
    );
    return join(folder, packed.filename);
  });
  execFileSync('npm', ['install', ...NPM, ...tarballs], { cwd: project, stdio: 'pipe' });
  cpSync(join(root, 'examples/digits/model.onnx'), join(project, 'model.onnx'));
  return project;
}

test('in an empty folder, npx sardonyx studio serves the packed page, which opens and runs the model', async ({
  folder,
}) => {
  const project = installedIn(folder);
  const command = spawn('npx', ['--offline', 'sardonyx', 'studio', 'model.onnx'], { cwd: project, detached: true });
  const { page, close } = await openStudio();
  try {
    const said = await new Promise<string>((resolve, reject) => {
      command.stdout.once('data', (bytes) => resolve(`${bytes}`));
      command.once('exit', (code) => reject(new Error(`npx ends with ${code}`)));
    });
    await page.goto(/http:\S+/.exec(said)?.[0] ?? said);
    await page.getByRole('heading', { name: 'model.onnx' }).waitFor();
    await page.getByRole('tab', { name: 'Run', exact: true }).click();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByRole('table', { name: 'Top classes of probabilities' }).getByRole('rowheader').nth(4).waitFor();
  } finally {
    process.kill(-(command.pid as number));
    await close();
  }
});

test.run();
