import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A fenced block of the documentation. */
export interface Snippet {
  /** File and heading, and which it is of several under one heading: `docs/workers.md, A pool, 2`. */
  readonly name: string;
  readonly language: string;
  readonly code: string;
  /** Whether it is a file of examples/recipes as it lies there, which test/examples compiles and runs. */
  readonly isFile: boolean;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8');

const RECIPES = `${root}/examples/recipes`;
const recipes = new Set(
  readdirSync(RECIPES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(js|html|json)$/.test(file) && !file.includes('node_modules'))
    .map((file) => readFileSync(`${RECIPES}/${file}`, 'utf8')),
);

const FILES = ['README.md', 'CONTRIBUTING.md', ...readdirSync(`${root}/docs`).map((file) => `docs/${file}`)];

/** What a change leaves of a program. */
const changed = (diff: string) => diff.replaceAll(/^-.*\n/gm, '').replaceAll(/^[+ ]/gm, '');

/** A heading, or a fence of backticks with what it encloses, whose lines may all be indented. */
const PARTS = /^#+ (?<heading>.+)$|^(?<indent> *)(?<fence>`{3,})(?<language>\S*).*\n(?<code>[\s\S]*?)^ *\k<fence> *$/gm;

function snippetsOf(file: string): Snippet[] {
  const seen = new Map<string, number>();
  let heading = '';
  return [...read(file).matchAll(PARTS)].flatMap(({ groups = {} }) => {
    if (groups.heading) heading = groups.heading;
    if (groups.code === undefined) return [];
    const place = `${file}, ${heading}`;
    const count = (seen.get(place) ?? 0) + 1;
    seen.set(place, count);
    const code = groups.code.replaceAll(new RegExp(`^${groups.indent}`, 'gm'), '');
    const name = count === 1 ? place : `${place}, ${count}`;
    if (groups.language === 'diff') return [{ name, language: 'js', code: changed(code), isFile: false }];
    return [{ name, language: groups.language ?? '', code, isFile: recipes.has(code) }];
  });
}

export const snippets: readonly Snippet[] = FILES.filter((file) => file.endsWith('.md')).flatMap(snippetsOf);
