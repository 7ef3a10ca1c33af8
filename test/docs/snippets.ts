import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A fenced block of the documentation. */
export interface Snippet {
  /** File and heading, and which it is of several under one heading: `docs/workers.md, A pool, 2`. */
  readonly name: string;
  readonly language: string;
  readonly code: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8');

/** Its blocks are files of examples/recipes, which test/examples checks and runs. */
const RECIPES = 'recipes.md';

const PAGES = readdirSync(`${root}/docs`).filter((file) => file !== RECIPES);
const FILES = ['README.md', 'CONTRIBUTING.md', ...PAGES.map((file) => `docs/${file}`)];

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
    return [{ name: count === 1 ? place : `${place}, ${count}`, language: groups.language ?? '', code }];
  });
}

export const snippets: readonly Snippet[] = FILES.filter((file) => file.endsWith('.md')).flatMap(snippetsOf);
