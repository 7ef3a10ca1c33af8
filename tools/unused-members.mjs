// Takes out of other packages' classes the members that nobody names: esbuild keeps classes whole. 3.5 kB of the package.
import { parse } from 'acorn';

/** Packages of classes, and the modules besides their own that have objects of them: by no names that are computed. */
const USERS = {
  commander: /^src\/cli\//,
  'fast-png': /^src\/image\//,
  iobuffer: /^(src\/image\/|node_modules\/(fast-png|tiff)\/)/,
  re2js: /^src\/ops\/(microsoft\/tokenizer|onnx\/text\/(regex-full-match|unicode-tables))\.ts$/,
  tiff: /^src\/image\//,
};

/** What esbuild writes before each module. */
const MODULE = /^\/\/ (\S+\.\w+)$/gm;

/** A script as a tree, with the words that it says, in names and texts, and where each begins. */
function scriptOf([file, text]) {
  const words = [];
  const onToken = ({ value, start }) => {
    for (const word of `${value}`.match(/[\w$]+/g) ?? []) words.push({ word, start });
  };
  const tree = parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true, onToken });
  const heads = [...text.matchAll(MODULE)];
  const modules = heads.map(({ 1: path, index }, i) => ({
    path,
    start: index,
    end: heads[i + 1]?.index ?? text.length,
  }));
  return { file, tree, words, modules };
}

const within =
  ({ start: from, end }) =>
  ({ start }) =>
    from <= start && start < end;

const childrenOf = (node) =>
  Object.values(node)
    .flat()
    .filter((child) => typeof child?.type === 'string');

const isNamed = ({ type, kind, computed, key }) =>
  type === 'MethodDefinition' && kind !== 'constructor' && !computed && key.type === 'Identifier';

/** Methods and accessors of all classes in a tree, but constructors, private ones, and those of computed names. */
const membersIn = (node) => [...(isNamed(node) ? [node] : []), ...childrenOf(node).flatMap(membersIn)];

/** The words in those modules of a script whose paths `isOne`. */
const wordsOf = ({ words, modules }, isOne) =>
  modules.filter(({ path }) => isOne(path)).flatMap((module) => words.filter(within(module)));

/** `{ file, name, start, end, words }` of all members of a package in a script. */
function membersOf({ file, tree, words, modules }, isOwn) {
  const own = modules.filter(({ path }) => isOwn(path));
  const members =
    own.length === 0 ? [] : membersIn(tree).filter((member) => own.some((module) => within(module)(member)));
  return members.map(({ key, start, end }) => ({
    ...{ file, start, end, name: key.name },
    words: words.filter(within({ start, end })).map(({ word }) => word),
  }));
}

function countsOf(words) {
  const counts = new Map();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Members whose names nobody says but they themselves, and then those that only these have named. */
function unusedOf(members, words) {
  const said = countsOf(words);
  const saidByNamesakes = countsOf(members.flatMap((member) => member.words.filter((word) => word === member.name)));
  const unused = new Set(members.filter(({ name }) => said.get(name) === saidByNamesakes.get(name)));
  if (unused.size === 0) return [];
  const gone = countsOf([...unused].flatMap((member) => member.words));
  const left = [...said].flatMap(([word, count]) => new Array(count - (gone.get(word) ?? 0)).fill(word));
  return [
    ...unused,
    ...unusedOf(
      members.filter((member) => !unused.has(member)),
      left,
    ),
  ];
}

function unusedMembers(scripts, [name, users]) {
  const isOwn = (path) => path.startsWith(`node_modules/${name}/`);
  const words = scripts.flatMap((script) => wordsOf(script, (path) => isOwn(path) || users.test(path)));
  return unusedOf(
    scripts.flatMap((script) => membersOf(script, isOwn)),
    words.map(({ word }) => word),
  );
}

/** Scripts by their addresses without these members, and with as many lines: source maps count them. */
export function withoutUnusedMembers(texts) {
  const scripts = Array.from(texts, scriptOf);
  const made = new Map(texts);
  for (const { file, start, end } of Object.entries(USERS).flatMap((entry) => unusedMembers(scripts, entry))) {
    const text = made.get(file);
    made.set(file, text.slice(0, start) + text.slice(start, end).replace(/[^\n]/g, ' ') + text.slice(end));
  }
  return made;
}
