import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';
import { COPIED, ROOT } from './pages.js';

const REPOSITORY = 'https://github.com/sardonyx-js/sardonyx';
const IN_REPOSITORY = new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/`);

/** Files in docs/ become pages of the site, and other files of the repository links to GitHub, from whichever form a link has. */
export function repositoryLinks(md: MarkdownRenderer): void {
  md.core.ruler.push('repository-links', ({ tokens, env }) => {
    const source = relative(ROOT, env.realPath ?? env.path);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' && token.attrGet('href');
      if (href) token.attrSet('href', linkTo(href, source));
    }
  });
}

/** The name of a heading in addresses, as GitHub makes it. */
export const slugOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');

/** An empty cell in the head of a table heads nothing. */
export function plainCorners(md: MarkdownRenderer): void {
  md.core.ruler.push('plain-corners', ({ tokens }) => {
    for (const [i, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[i + 1]?.content) continue;
      token.tag = 'td';
      const end = tokens.slice(i).find(({ type }) => type === 'th_close');
      if (end) end.tag = 'td';
    }
  });
}

export function linkTo(href: string, source: string): string {
  const isOwn = IN_REPOSITORY.test(href);
  if (/^([a-z]+:|#|\/)/.test(href) && !isOwn) return href;
  const [target = '', hash = ''] = href.replace(IN_REPOSITORY, '').split(/(?=#)/);
  const path = isOwn ? target : join(dirname(placeOf(source)), target);
  const page = pageOf(path);
  if (page) return `/${page.replace(/(^|\/)index$/, '$1')}${hash}`;
  if (!existsSync(join(ROOT, path))) throw new Error(`${source}: ${href} leads nowhere`);
  return `${REPOSITORY}/blob/main/${path}${hash}`;
}

const pageOf = (path: string): string | undefined =>
  Object.entries(COPIED).find(([, file]) => file === path)?.[0] ?? /^docs\/(?:generated\/)?(.+)\.md$/.exec(path)?.[1];

/** Where a copy was copied from: its links are those of the original. */
const placeOf = (source: string): string => COPIED[/^docs\/generated\/(.+)\.md$/.exec(source)?.[1] ?? ''] ?? source;
