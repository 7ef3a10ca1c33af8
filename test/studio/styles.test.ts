import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('studio/styles');

const root = fileURLToPath(new URL('../../studio/src', import.meta.url));
/** Styles of the whole page. */
const SHARED = /^(ui|app\/shell|canvas)\//;

const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8');
const isIn = (file: string, folder: string): boolean => file.startsWith(`${folder}/`);

/** What selectors begin with: `.field.size` of `.field.size > input`. */
function beginningsOf(style: string): Set<string> {
  const rules = textOf(style).replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const selectors = [...rules.matchAll(/([^{};]+)\{/g)].flatMap(([, text = '']) => text.split(','));
  return new Set(selectors.flatMap((selector) => /^\s*((?:\.[\w-]+)+)/.exec(selector)?.[1] ?? []));
}

const wears = (words: ReadonlySet<string>, beginning: string): boolean =>
  beginning
    .slice(1)
    .split('.')
    .every((name) => words.has(name));

/** Words of all `class` attributes of a file. */
function wordsOf(component: string): Set<string> {
  const classes = [...textOf(component).matchAll(/class=(?:"([^"]*)"|\{([^}]*(?:\$\{[^}]*\}[^}]*)*)\})/g)];
  return new Set(classes.flatMap(([, text = '', code = '']) => `${text} ${code}`.match(/[\w-]+/g) ?? []));
}

/** Folders with a file that imports a style. */
const importersOf = (style: string): string[] =>
  files
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) =>
      [...textOf(file).matchAll(/import '(\.[^']+\.css)'/g)].some(
        ([, path = '']) => relative(root, resolve(root, dirname(file), path)) === style,
      ),
    )
    .map((file) => dirname(file));

test('no tool changes how another one looks: a class is worn where its style is imported alone', () => {
  const components = files.filter((file) => file.endsWith('.tsx'));
  const worn = components.map((file) => [file, wordsOf(file)] as const);
  const leaks = files
    .filter((file) => file.endsWith('.css') && !SHARED.test(file))
    .flatMap((style) => {
      const folders = importersOf(style);
      const strangers = worn.filter(([file]) => !folders.some((folder) => isIn(file, folder)));
      return [...beginningsOf(style)].flatMap((beginning) =>
        strangers.filter(([, words]) => wears(words, beginning)).map(([file]) => `${beginning} of ${style} in ${file}`),
      );
    });
  assert.equal(leaks, []);
});

test.run();
