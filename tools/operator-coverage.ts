import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loweringOf } from '../src/backends/wasm/lowerings.js';
import { loadGroups } from '../src/groups/load-groups.js';
import type { AnyOperator } from '../src/schema/definition.js';
import { ANY, FLOAT8, FLOATS, INTEGERS, NUMBERS, SIGNED, UNSIGNED } from '../src/schema/element-sets.js';
import { ELEMENTS, type ElementType } from '../src/tensor/element-types.js';

const OPERATORS = new URL('../src/ops/', import.meta.url);
const PAGE = new URL('../docs/operators.md', import.meta.url);

const SETS: readonly (readonly [string, readonly ElementType[]])[] = [
  ['all types', ANY],
  ['numbers', NUMBERS],
  ['integers', INTEGERS],
  ['floats', FLOATS],
  ['8-bit floats', FLOAT8],
  ['signed integers', SIGNED],
  ['unsigned integers', UNSIGNED],
];

/** What stands before it in the page is written by hand. */
const MARK = '<!-- From here on made by `npm run docs:operators`, from the definitions of the operators. -->\n';

interface Found {
  readonly group: string;
  readonly operator: AnyOperator;
}

/** Every definition of ONNX's operators and the group, a folder, that it is in. */
async function definitions(): Promise<Found[]> {
  const files = readdirSync(OPERATORS, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  const found: Found[] = [];
  for (const file of files.sort()) {
    const group = basename(dirname(file));
    if (group !== '.') {
      const module = (await import(new URL(file, OPERATORS).href)) as Record<string, unknown>;
      for (const operator of Object.values(module).flat().filter(isOperator)) found.push({ group, operator });
    }
  }
  return found.filter(({ operator }) => operator.domain !== 'sardonyx');
}

/** All versions of one operator go with the newest. */
function gathered(found: readonly Found[]): Found[][] {
  const byName = groupBy(found, ({ operator }) => `${operator.domain}:${operator.name}`);
  return byName.map(([, versions]) => versions.sort((a, b) => b.operator.since - a.operator.since));
}

const isOperator = (value: unknown): value is AnyOperator =>
  typeof value === 'object' && value !== null && 'infer' in value && 'signature' in value && 'since' in value;

/** Types in few words: sets that they hold whole by name, the rest one by one. */
function inWords(types: readonly ElementType[]): string {
  let rest = [...new Set(types)];
  const words: string[] = [];
  for (const [name, set] of SETS) {
    if (!set.every((type) => rest.includes(type))) continue;
    words.push(name);
    rest = rest.filter((type) => !set.includes(type));
  }
  return [...words, ...rest].join(', ');
}

function typesOf({ types, signature }: AnyOperator): string {
  const parameters = [...signature.inputs, ...signature.outputs].map(({ type }) => type);
  const variables = [...new Set(parameters)].filter((name) => types[name]);
  if (variables.length > 0) {
    const told = variables.map((name) => [name, inWords(types[name] as ElementType[])] as const);
    return told.length === 1 ? (told[0]?.[1] as string) : told.map(([name, words]) => `${name}: ${words}`).join('; ');
  }
  return inWords(parameters.filter((type): type is ElementType => type in ELEMENTS));
}

function placesOf(versions: readonly AnyOperator[]): string {
  const has = (rule: 'evaluate' | 'iterate' | 'decompose') => versions.some((version) => version[rule] !== undefined);
  const places = [
    versions.some(loweringOf) && 'kernels',
    has('decompose') && 'other operators',
    (has('evaluate') || has('iterate')) && 'host',
  ];
  return places.filter(Boolean).join(', ');
}

/** One row: its newest version, the first, says the types. */
function rowOf(versions: readonly AnyOperator[]): string {
  const newest = versions[0] as AnyOperator;
  const since = versions.map((version) => version.since).reverse();
  return `| ${newest.name} | ${since.join(', ')} | ${typesOf(newest)} | ${placesOf(versions)} |`;
}

const groupBy = <T>(items: readonly T[], key: (item: T) => string): [string, T[]][] => {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
};

const domainOf = (found: Found | undefined) => found?.operator.domain || 'ai.onnx';

/** The page as it should be. */
export async function operatorPage(): Promise<string> {
  await loadGroups();
  const found = await definitions();
  const operators = gathered(found);
  const sets = SETS.slice(1).map(([name, types]) => `- *${name}*: ${types.join(', ')}`);
  const lines = ['## Types', '', ...sets, '', `${operators.length} operators.`, ''];
  const sections = groupBy(operators, ([newest]) => `${domainOf(newest)}: ${newest?.group}`);
  for (const [section, members] of sections) {
    lines.push(`## ${section}`, '', '| Operator | Since | Types | Runs |', '| --- | --- | --- | --- |');
    for (const versions of members) lines.push(rowOf(versions.map(({ operator }) => operator)));
    lines.push('');
  }
  const [prose] = readFileSync(PAGE, 'utf8').split(MARK);
  return `${prose}${MARK}\n${lines.join('\n')}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeFileSync(PAGE, await operatorPage());
