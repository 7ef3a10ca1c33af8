import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const studio = fileURLToPath(new URL('../../studio', import.meta.url));

const test = suite<{ folder: string }>('studio/package');
test.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'sardonyx-studio-'));
});
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

test.run();
