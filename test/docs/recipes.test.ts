import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('docs/recipes.md');
const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const RECIPES = at('examples/recipes');
const page = readFileSync(at('docs/recipes.md'), 'utf8');

const shown = [...page.matchAll(/^\[(\S+)\]\(\.\.\/examples\/recipes\/\1\)\n\n```\w+\n(.*?)^```$/gms)].map(
  ([, name = '', code = '']) => [name, code] as const,
);

const files = readdirSync(RECIPES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.(js|html)$|manifest\.json$/.test(file) && !/node_modules|bundle\.js$/.test(file))
  .sort();

test('shows every file, as it is', () => {
  assert.equal(shown.map(([name]) => name).sort(), files);
  for (const [name, code] of shown) assert.is(code, readFileSync(join(RECIPES, name), 'utf8'), name);
});

test('shows no other code', () => {
  const blocks = [...page.matchAll(/^```(\w+)$/gm)].filter(([, language]) => language !== 'sh');
  assert.is(blocks.length, shown.length);
});

test('shows recipes of 50 lines or some more', () => {
  for (const [name, code] of shown) assert.ok(code.split('\n').length <= 80, name);
});

test('has the sections that it names', () => {
  const anchors = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'));
  const named = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, name = '']) => name);
  assert.ok(named.length >= 12);
  for (const name of named) assert.ok(anchors.includes(name), name);
});

test.run();
