import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const SRC = fileURLToPath(new URL('../../src', import.meta.url));
const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file));

/** The module that `file` imports as `from`: a path below src/, or a package. */
const moduleAt = (file: string, from: string) => (from.startsWith('.') ? relative(SRC, join(file, '..', from)) : from);

/** What is loaded on demand, by the names under which it may be at hand. */
function onDemand(): Map<string, string> {
  const loaded = new Map<string, string>();
  for (const file of sourcesIn(SRC))
    for (const [, name = '', from = ''] of readFileSync(file, 'utf8').matchAll(
      /\b(?:onDemand|atHandOr)\(\s*'([^']+)',\s*\(\) =>\s*import\('([^']+)'\)/g,
    ))
      loaded.set(name, moduleAt(file, from));
  return loaded;
}

/** What sardonyx/inline keeps at hand. */
function atHand(): Map<string, string> {
  const file = join(SRC, 'inline.ts');
  const text = readFileSync(file, 'utf8');
  const imports = new Map(
    Array.from(text.matchAll(/^import \* as (\w+) from '([^']+)';$/gm), ([, as = '', from = '']) => [
      as,
      moduleAt(file, from),
    ]),
  );
  const kept = /keepAtHand\(\{([^}]*)\}\)/.exec(text)?.[1] ?? '';
  const entries = kept.split(',').flatMap((entry) => (entry.trim() ? [entry.trim().split(/:\s*/)] : []));
  return new Map(entries.map(([key = '', as = key]) => [key.replaceAll("'", ''), imports.get(as) ?? '']));
}

const test = suite('what sardonyx/inline has at hand');

test('is all that a session loads on demand, by the same names', () => {
  const [loaded, kept] = [onDemand(), atHand()];
  assert.ok(loaded.size > 20, `${loaded.size}`);
  for (const [name, module] of kept) assert.is(module, loaded.get(name), name);
  const apart = [...loaded.keys()].filter((name) => !kept.has(name));
  // Workers have scripts of their own.
  assert.equal(apart, ['worker-state']);
});

test.run();
