import { readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { linkTo, slugOf } from '../../site/links.js';
import { DOCS, GROUPS } from '../../site/pages.js';

const test = suite('site/pages');

const grouped = GROUPS.flatMap(({ pages }) => pages);

test('every file in docs/ is in a group of the sidebar', () => {
  const written = readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md') && !file.startsWith('generated/') && file !== 'index.md')
    .map((file) => file.slice(0, -3));
  const isGrouped = (page: string) =>
    grouped.some((each) => (each.endsWith('/') ? page.startsWith(each) : page === each));
  assert.equal(
    written.filter((page) => !isGrouped(page)),
    [],
  );
});

test('no page is in two groups', () => {
  assert.is(new Set(grouped).size, grouped.length);
});

const GITHUB = 'https://github.com/sardonyx-js/sardonyx/blob/main';

const LINKS: readonly (readonly [string, string, string])[] = [
  ['loading.md', 'docs/recipes.md', '/loading'],
  ['loading.md#offline', 'docs/recipes.md', '/loading#offline'],
  [`${GITHUB}/docs/loading.md#offline`, 'docs/recipes.md', '/loading#offline'],
  ['../loading.md', 'docs/errors/DOWNLOAD.md', '/loading'],
  ['docs/loading.md', 'docs/generated/contributing.md', '/loading'],
  [`${GITHUB}/CONTRIBUTING.md`, 'docs/recipes.md', '/contributing'],
  ['../examples/digits', 'docs/gallery.md', `${GITHUB}/examples/digits`],
  ['image.md', 'docs/generated/api/sardonyx/cache.md', '/api/sardonyx/image'],
  ['index.md', 'docs/generated/api/sardonyx.md', '/api/'],
  ['#here', 'docs/recipes.md', '#here'],
  ['https://onnx.ai', 'docs/recipes.md', 'https://onnx.ai'],
];

for (const [href, source, wanted] of LINKS)
  test(`a link to ${href} in ${source}`, () => {
    assert.is(linkTo(href, source), wanted);
  });

test('headings have the names that GitHub gives them', () => {
  assert.is(slugOf('In transformers.js'), 'in-transformersjs');
  assert.is(slugOf('Offline: sardonyx/cache'), 'offline-sardonyxcache');
  assert.is(slugOf('TRACE_FUNC_BEGIN()'), 'trace_func_begin');
});

test('a link to a file that does not exist', () => {
  assert.throws(() => linkTo('../examples/nothing', 'docs/recipes.md'), /leads nowhere/);
});

test.run();
