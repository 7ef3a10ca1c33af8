import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('links of the docs');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const address: string = manifest.repository.url.replace(/^git\+|\.git$/g, '');

/** What a page in Markdown links to. */
const linksIn = (page: string) => Array.from(read(page).matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link as string);

const FENCED = /^ *(`{3,})[\s\S]*?^ *\1/gm;

/** The anchors that GitHub gives to the headings of a page. */
const anchorsIn = (page: string) =>
  Array.from(
    read(page)
      .replaceAll(FENCED, '')
      .matchAll(/^#+ (.+)$/gm),
    ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
  );

const isOwn = (link: string) => link.startsWith(`${address}/`);
const isElsewhere = (link: string) => /^https?:/.test(link);

test('the package says where it lives in one way', () => {
  assert.is(manifest.homepage, `${address}#readme`);
  assert.is(manifest.bugs, `${address}/issues`);
});

test('README: links work from the page of the package too', () => {
  const links = linksIn('README.md');
  assert.equal(
    links.filter((link) => link[0] !== '#' && !isElsewhere(link)),
    [],
  );
  const own = links.filter(isOwn);
  assert.ok(own.length > 10);
  for (const link of own) {
    const [, path] = /^\/(?:blob|tree)\/main\/([^#]+)/.exec(link.slice(address.length)) ?? [];
    assert.ok(path && existsSync(join(ROOT, path)), `${link} leads nowhere`);
  }
  const others = links.filter((link) => !isOwn(link) && link.includes('github.com') && link.includes('sardonyx'));
  assert.equal(others, [], 'an address of the project that package.json does not have');
});

const PAGES = [
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('generated'))
    .map((name) => `docs/${name}`),
];

for (const page of PAGES.filter((name) => name.endsWith('.md')))
  test(page, () => {
    for (const link of linksIn(page).filter((link) => !isElsewhere(link))) {
      const [path = '', anchor] = link.split('#');
      const target = path ? join(dirname(page), path) : page;
      assert.ok(existsSync(join(ROOT, target)), `${link} leads nowhere`);
      if (anchor && target.endsWith('.md'))
        assert.ok(anchorsIn(target).includes(anchor), `${link} leads to no heading`);
    }
  });

test('the changelog has this version', () => {
  assert.match(
    read('CHANGELOG.md'),
    new RegExp(`^## ${manifest.version.replaceAll('.', '\\.')} - \\d{4}-\\d\\d-\\d\\d$`, 'm'),
  );
});

test.run();
