import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BUILT, fileAt } from './site-page.js';

const test = suite('site/links');

const pages = readdirSync(BUILT, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));

const matches = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found]) => found as string);

const idsOf = new Map<string, ReadonlySet<string>>();

function ids(file: string): ReadonlySet<string> {
  const known = idsOf.get(file) ?? new Set(matches(readFileSync(file, 'utf8'), /\sid="([^"]+)"/g));
  idsOf.set(file, known);
  return known;
}

/** Whether a link or an address of a file leads to a page, and to a heading of it. */
function leadsNowhere(page: string, link: string): boolean {
  const { pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://site/${relative(BUILT, page)}`);
  const file = fileAt(decodeURIComponent(pathname));
  return !file || (hash !== '' && !ids(file).has(decodeURIComponent(hash.slice(1))));
}

test('every page, heading and file that a page names exists', () => {
  assert.ok(pages.length > 20);
  const dead = pages.flatMap((page) => {
    const file = join(BUILT, page);
    const named = new Set(matches(readFileSync(file, 'utf8'), /\s(?:href|src)="([^"]+)"/g));
    return [...named]
      .filter((link) => !/^[a-z]+:/.test(link) && leadsNowhere(file, link))
      .map((link) => `${page}: ${link}`);
  });
  assert.equal(dead, []);
});

test('no page loads anything from another host', () => {
  const foreign = pages.flatMap((page) =>
    matches(readFileSync(join(BUILT, page), 'utf8'), /<(?:script|link|img|iframe)[^>]*?(?:src|href)="(https?:[^"]+)"/g),
  );
  assert.equal(foreign, []);
});

test.run();
