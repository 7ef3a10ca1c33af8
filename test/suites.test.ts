import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('the table of suites');

const here = fileURLToPath(new URL('.', import.meta.url));
const placements: Record<string, { tier?: string; grows?: true }> = JSON.parse(
  readFileSync(`${here}suites.json`, 'utf8'),
);
const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.test.ts') && !file.includes('node_modules'),
);

test('names suites and folders that there are', () => {
  const unknown = Object.keys(placements).filter(
    (name) => !existsSync(here + (name.endsWith('/') ? name : `${name}.test.ts`)),
  );
  assert.equal(unknown, []);
});

test('says of each quick suite that tries more in larger tiers that it grows', () => {
  const asksForTier = (file: string) => /import \{[^}]*\} from '[./]+tier\.js'/.test(readFileSync(here + file, 'utf8'));
  const silent = files.filter(asksForTier).filter((file) => {
    const name = file.replace('.test.ts', '');
    const { tier, grows } = { ...placements[`${name.split('/')[0]}/`], ...placements[name] };
    return tier === undefined && !grows;
  });
  assert.equal(silent, []);
});

test.run();
