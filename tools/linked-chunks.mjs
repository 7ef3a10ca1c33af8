// What esbuild leaves to be won where scripts are split: files that only hand on what one chunk has, which take a request each;
// objects in the place of `import *`; and the names of sources in all that chunks import of each other.
import { parse } from 'acorn';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** a … Z, aa …; words of the language may stand beside `as`, too. */
const letters = (i) =>
  (i < LETTERS.length ? '' : letters(Math.floor(i / LETTERS.length) - 1)) + LETTERS[i % LETTERS.length];

const isImport = ({ type }) => type === 'ImportDeclaration';
const isExport = ({ type }) => type === 'ExportNamedDeclaration';
const isNamespace = ({ expression }) => expression?.callee?.name === '__export';
const isEmptyObject = ({ init }) => init?.type === 'ObjectExpression' && init.properties.length === 0;

/** A script and the statements that link it: `{ own, shared }` are the names of one thing, inside and outside. */
function scriptOf([file, text]) {
  const { body } = parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
  const imports = body.filter(isImport).map(({ start, end, source, specifiers }) => ({
    ...{ start, end, from: source.value },
    names: specifiers.map(({ imported, local }) => ({ own: local.name, shared: imported.name })),
  }));
  const exports = body.filter(isExport).map(({ start, end, specifiers }) => ({
    ...{ start, end },
    names: specifiers.map(({ exported, local }) => ({ own: local.name, shared: exported.name })),
  }));
  return {
    file,
    text,
    imports,
    exports,
    namespace: namespaceOf(body),
    isLinksAlone: imports.length + exports.length === body.length,
  };
}

/** What esbuild writes for `import *` of a module: `var all = {}; __export(all, { … })`. */
function namespaceOf(body) {
  const [call, ...others] = body.filter(isNamespace);
  const name = call?.expression.arguments[0].name;
  const made = body.find(({ declarations }) => declarations?.length === 1 && declarations[0].id.name === name);
  return others.length === 0 && made && isEmptyObject(made.declarations[0])
    ? { name, statements: [made, call] }
    : undefined;
}

const exportsOf = ({ exports }) => exports.flatMap(({ names }) => names);
/** Exports but the object for `import *`. */
const valuesOf = (script) => exportsOf(script).filter(({ own }) => own !== script.namespace?.name);

/** The chunk that a file hands on, all of it: import() must not see more than was asked for. */
function handedOn(script, chunks) {
  const [only, ...others] = script.imports.filter(({ names }) => names.length);
  const chunk = script.isLinksAlone && only && others.length === 0 ? chunks.get(only.from) : undefined;
  return chunk && valuesOf(chunk).length === exportsOf(script).length ? chunk : undefined;
}

/** The names under which `shim` hands on what `chunk` exports, by those of the chunk. */
function namesIn(shim, chunk) {
  const publicOf = new Map(exportsOf(shim).map(({ own, shared }) => [own, shared]));
  const { names } = shim.imports.find(({ from }) => from === chunk.file);
  return new Map(names.map(({ own, shared }) => [shared, publicOf.get(own)]));
}

const specifiers = (names, inner, outer) =>
  names.map((name) => (name[inner] === name[outer] ? name[inner] : `${name[inner]} as ${name[outer]}`)).join(', ');

const importOf = (what, from) => `import ${what ? `${what} from ` : ''}"${from}";`;
const clauseOf = (names) => (names.length ? `{ ${specifiers(names, 'shared', 'own')} }` : '');

/** The text with statements in place of others, `{ start, end, statement }`, and as many lines: source maps count them. */
function withStatements(text, changes) {
  let [made, at] = ['', 0];
  for (const { start, end, statement } of changes.sort((a, b) => a.start - b.start)) {
    made += text.slice(at, start) + statement + text.slice(start, end).replace(/[^\n]/g, '');
    at = end;
  }
  return made + text.slice(at);
}

/** How scripts find each other once chunks have taken the place of what hands them on. */
function linksOf(scripts, isChunk, isOnDemand) {
  const chunks = new Map(scripts.filter(({ file }) => isChunk(file)).map((chunk) => [chunk.file, chunk]));
  const shims = new Map();
  for (const shim of scripts.filter(({ file }) => isOnDemand(file))) {
    const chunk = handedOn(shim, chunks);
    if (chunk && !shims.has(chunk.file)) shims.set(chunk.file, shim);
  }
  const names = new Map(
    Array.from(chunks, ([file, chunk]) => [
      file,
      shims.has(file)
        ? namesIn(shims.get(file), chunk)
        : new Map(exportsOf(chunk).map(({ shared }, i) => [shared, letters(i)])),
    ]),
  );
  return {
    isGone: ({ file }) => [...shims.values()].some((shim) => shim.file === file),
    fileOf: (file) => shims.get(file)?.file ?? file,
    nameOf: (file, shared) => names.get(file)?.get(shared) ?? shared,
    isWhole: (file, shared) => shims.has(file) && !names.get(file).has(shared),
  };
}

function linked({ file, text, imports, exports, namespace }, { fileOf, nameOf, isWhole }) {
  const imported = imports.map(({ from, names, ...place }) => {
    const values = names
      .filter(({ shared }) => !isWhole(from, shared))
      .map(({ own, shared }) => ({ own, shared: nameOf(from, shared) }));
    const wholes = names.filter(({ shared }) => isWhole(from, shared)).map(({ own }) => `* as ${own}`);
    const clauses = [...wholes, ...(values.length || !wholes.length ? [clauseOf(values)] : [])];
    return { ...place, statement: clauses.map((clause) => importOf(clause, fileOf(from))).join(' ') };
  });
  const exported = exports.map(({ names, ...place }) => {
    const values = names
      .filter(({ shared }) => !isWhole(file, shared))
      .map(({ own, shared }) => ({ own, shared: nameOf(file, shared) }));
    return { ...place, statement: `export { ${specifiers(values, 'own', 'shared')} };` };
  });
  const isNeedless =
    namespace &&
    exports.some(({ names }) => names.some(({ own, shared }) => own === namespace.name && isWhole(file, shared)));
  const dropped = isNeedless ? namespace.statements.map(({ start, end }) => ({ start, end, statement: '' })) : [];
  return withStatements(text, [...imported, ...exported, ...dropped]);
}

/**
 * `texts` by their addresses, as `./index.js`, of which `isChunk` are nobody's but the others' and `isOnDemand` what `import()` asks
 * for. Gives `{ file, was, text }`; `was` is the file whose code it has.
 */
export function linkedChunks(texts, isChunk, isOnDemand) {
  const scripts = Array.from(texts, scriptOf);
  const links = linksOf(scripts, isChunk, isOnDemand);
  const kept = scripts.filter((script) => !links.isGone(script));
  return kept.map((script) => ({ file: links.fileOf(script.file), was: script.file, text: linked(script, links) }));
}
