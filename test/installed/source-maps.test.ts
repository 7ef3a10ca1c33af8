import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { builtWithSourceMaps } from '../built-package.js';
import { installed } from '../installed-package.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const test = suite('source maps');

/** The built scripts on one line each, without the hashes in their names, which are of the source maps too. */
function scripts(folder: string): string[] {
  const dist = join(folder, 'dist');
  const files = readdirSync(dist).filter((name) => name.endsWith('.js'));
  const texts = files.map((name) =>
    readFileSync(join(dist, name), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\n?$/, ''),
  );
  return texts.map((text) => text.replace(/-\w{8}(?=\.js)/g, '').replaceAll('\n', '')).sort();
}

test('are one flag away, and change nothing else but line breaks', () => {
  const built = builtWithSourceMaps();
  assert.ok(scripts(built).join() === scripts(installed().package).join(), 'the scripts differ');
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-maps-'));
  try {
    cpSync(built, folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      join(folder, 'uncaught.js'),
      "import { Tensor } from './dist/index.js';\nnew Tensor('float32', [1, 2], [3]);\n",
    );
    const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', 'uncaught.js'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const frames = [...stderr.matchAll(/at (?:new )?(\w+) \(.*\/(src\/tensor\/[\w-]+\.ts):(\d+):\d+\)/g)];
    const lines = frames.map(([, , file, line]) =>
      readFileSync(join(root, file as string), 'utf8')
        .split('\n')
        [Number(line) - 1]?.trim(),
    );
    assert.is(frames.at(-1)?.[1], 'Tensor', stderr);
    assert.match(lines[0] as string, /^throw new SardonyxError\(/);
    frames.slice(1).forEach((_, i) => {
      assert.match(lines[i + 1] as string, `${frames[i]?.[1]}(`);
    });
    assert.ok(frames.length > 1, stderr);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
