// Everything that a public entry exports is documented: a comment at each export, property and method.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildPackage } from '../built-package.js';

const test = suite('documentation of what the package exports');
const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The sources of package.json's entries: their declarations are in build/types, with all comments. */
const ENTRIES: Readonly<Record<string, string>> = {
  '.': 'src/index.ts',
  './builder': 'src/builder/index.ts',
  './cache': 'src/cache/index.ts',
  './worker': 'src/remote/worker/index.ts',
  './pool': 'src/remote/pool/index.ts',
  './image': 'src/image/index.ts',
  './tensors': 'src/tensors/index.ts',
  './log': 'src/log/index.ts',
  './model': 'src/tools/index.ts',
  './inline': 'src/inline.ts',
  './onnxruntime': 'src/onnxruntime/index.ts',
};

/**
 * Names of onnxruntime-common, which sardonyx/onnxruntime mirrors and https://onnxruntime.ai/docs/api/js documents: those whose types
 * test/types finds to be the same.
 */
const mirrored = new Set(
  Array.from(
    readFileSync(`${ROOT}/test/types/onnxruntime-common.ts`, 'utf8').matchAll(/\btheirs\.(\w+)/g),
    ([, name]) => name,
  ),
);

const isMirrored = (path: string) => mirrored.has(path.replace(/^default\.?/, '').split('.')[0]);

test('all entries of the package are here', () => {
  const { exports } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8')) as { exports: Record<string, unknown> };
  const typed = Object.entries(exports).filter(([, target]) => typeof target === 'object');
  assert.equal(
    typed
      .map(([entry]) => entry)
      .filter((entry) => !entry.endsWith('/*'))
      .sort(),
    Object.keys(ENTRIES).sort(),
  );
});

const declarationsOf = (source: string) => `${ROOT}/build/types/${source.replace(/\.ts$/, '.d.ts')}`;

buildPackage();
const options: ts.CompilerOptions = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
const files = Object.values(ENTRIES).map(declarationsOf);
const program = ts.createProgram(files, { ...options, lib: ['lib.es2023.d.ts'], types: [], noEmit: true });
const checker = program.getTypeChecker();

const isOurs = (node: ts.Node) => /\/(src|bindings|workers)\//.test(node.getSourceFile().fileName);

const isDocumented = (symbol: ts.Symbol): boolean =>
  symbol.getDocumentationComment(checker).length > 0 || symbol.getJsDocTags(checker).length > 0;

const isHidden = (symbol: ts.Symbol): boolean =>
  symbol.getJsDocTags(checker).some(({ name }) => name === 'internal') ||
  (symbol.declarations ?? []).some(
    (node) =>
      ts.canHaveModifiers(node) &&
      ts
        .getModifiers(node)
        ?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.ProtectedKeyword),
  );

/** Names that say all there is to say where a class or type has them. */
const isPlain = (name: string) => name === 'prototype' || name.startsWith('#') || name.startsWith('__');

/** The members that a declaration writes out itself; those of other declarations are documented there. */
function membersOf(symbol: ts.Symbol): ts.Symbol[] {
  const nodes = (symbol.declarations ?? []).filter(isOurs);
  return nodes.flatMap((node) => {
    if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) return symbolsOf(node.members);
    if (ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type)) return symbolsOf(node.type.members);
    return [];
  });
}

const symbolsOf = (members: ts.NodeArray<ts.ClassElement | ts.TypeElement>): ts.Symbol[] =>
  members.flatMap((member) => {
    const symbol = member.name && checker.getSymbolAtLocation(member.name);
    return symbol ? [symbol] : [];
  });

function undocumented(entry: string): string[] {
  const source = program.getSourceFile(declarationsOf(ENTRIES[entry] as string)) as ts.SourceFile;
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(source) as ts.Symbol);
  const missing = new Set<string>();
  const seen = new Set<ts.Symbol>();
  const visit = (found: ts.Symbol, path: string) => {
    const symbol = found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
    if (seen.has(symbol)) return;
    seen.add(symbol);
    if (!symbol.declarations?.some(isOurs) || isHidden(symbol) || isPlain(symbol.name)) return;
    if (!isDocumented(symbol) && !isDocumented(found)) missing.add(path);
    for (const member of membersOf(symbol)) visit(member, `${path}.${member.name}`);
    if (symbol.flags & ts.SymbolFlags.Namespace)
      for (const inner of checker.getExportsOfModule(symbol)) visit(inner, `${path}.${inner.name}`);
  };
  for (const symbol of exported) visit(symbol, symbol.name);
  return [...missing].sort();
}

for (const entry of Object.keys(ENTRIES))
  test(`${entry}: each export, property and method has a comment`, () => {
    const missing = undocumented(entry).filter((path) => entry !== './onnxruntime' || !isMirrored(path));
    assert.equal(missing, []);
  });

test.run();
