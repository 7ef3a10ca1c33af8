import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const DOCS = join(ROOT, 'docs');

export interface Group {
  readonly text: string;
  /** Names of files in docs/, without `.md`, or of folders, with a slash at the end. */
  readonly pages: readonly string[];
}

/** The sidebar, in its order. A page that does not exist is left out. */
export const GROUPS: readonly Group[] = [
  { text: 'Start', pages: ['getting-started', 'gallery', 'migrating', 'exporting', 'troubleshooting'] },
  {
    text: 'Guides',
    pages: [
      'recipes',
      'loading',
      'platforms',
      'workers',
      'tensors',
      'images',
      'onnxruntime',
      'language-models',
      'limits',
      'profiling',
      'toolkit',
      'logs',
      'studio',
    ],
  },
  { text: 'Reference', pages: ['command-line', 'operators', 'glossary', 'api/', 'errors/'] },
  {
    text: 'Internals',
    pages: ['architecture', 'backends', 'reliability', 'benchmarks', 'contributing', 'decisions/'],
  },
];

/** Titles of folders. */
const FOLDERS: Readonly<Record<string, string>> = { 'api/': 'API', 'errors/': 'Errors', 'decisions/': 'Decisions' };

/** Pages outside docs/, by name. The build copies them to docs/generated/, where the API reference is, too. */
export const COPIED: Readonly<Record<string, string>> = { contributing: 'CONTRIBUTING.md' };

interface Item {
  readonly text: string;
  readonly link?: string;
  readonly items?: Item[];
}

export const sidebar = (): Item[] =>
  GROUPS.map(({ text, pages }) => ({ text, items: pages.flatMap((page) => itemsOf(page)) }));

function itemsOf(page: string): Item[] {
  if (!page.endsWith('/')) return pageItem(page);
  const names = pagesIn(page).filter((name) => name !== `${page}index`);
  const index = pageItem(`${page}index`)[0]?.link;
  const items = names.flatMap(pageItem);
  return items.length ? [{ text: FOLDERS[page] ?? page, items, ...(index && { link: index }) }] : [];
}

function pageItem(page: string): Item[] {
  const file = fileOf(page);
  return file ? [{ text: titleOf(file) ?? page, link: `/${page.replace(/(^|\/)index$/, '$1')}` }] : [];
}

/** The file of a page, which is written or generated. */
function fileOf(page: string): string | undefined {
  return [`${DOCS}/${page}.md`, `${DOCS}/generated/${page}.md`].find((file) => existsSync(file));
}

function pagesIn(folder: string): string[] {
  const found = [DOCS, `${DOCS}/generated`].map((parent) => join(parent, folder)).filter((path) => existsSync(path));
  return found
    .flatMap((path) => readdirSync(path, { recursive: true, encoding: 'utf8' }))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.md') && !file.includes('namespaces/'))
    .map((file) => folder + file.slice(0, -3))
    .sort();
}

/** The first heading, without its markup. */
function titleOf(file: string): string | undefined {
  return /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1]?.replace(/[`\\]/g, '');
}
