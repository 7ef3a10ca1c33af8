import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ErrorCode } from '../../src/index.js';
import { installed } from '../installed-package.js';
import { external } from '../platforms/example.js';

/** Two stacks of ten frames, whose lines name the chunks, and the address of a page. */
const MOST_CHARACTERS = 2300;
const root = fileURLToPath(new URL('../..', import.meta.url));
const { folder } = installed();

cpSync(join(root, 'examples/digits/model.onnx'), join(folder, 'digits.onnx'));
writeFileSync(join(folder, 'external.onnx'), external().model);

const PRELUDE = `
  import * as builder from 'sardonyx/builder';
  import { cached } from 'sardonyx/cache';
  import { env, InferenceSession, SardonyxError, Tensor } from 'sardonyx';
  const digits = () => InferenceSession.create('digits.onnx');
  const image = new Tensor('float32', new Float32Array(64), [1, 1, 8, 8]);
  const modelOf = (op, type = 'float32', attributes = {}, ...constants) => {
    const b = builder.modelBuilder({ opset: 21 });
    const values = constants.map((value, i) => b.constant('c' + i, value));
    b.output('y', b.op(op, [b.input('x', type, ['n', 'm']), ...values], attributes));
    return b.toBytes();
  };
`;

/** Programs that nobody expected to fail. */
const PROGRAMS: Record<ErrorCode, string> = {
  INVALID_ARGUMENT: `import { createPool } from 'sardonyx/pool'; await createPool('digits.onnx', { size: 0 });`,
  INVALID_MODEL: `await InferenceSession.create(new TextEncoder().encode('<!doctype html><title>Not found</title>'));`,
  INVALID_TEXT: "const { parseModel } = await import('sardonyx/model'); parseModel('g () => () { y = Relu[x] }');",
  INVALID_GRAPH: `await InferenceSession.create(modelOf('Relu', 'float32', {}, builder.tensor('float32', [1], [1])));`,
  INVALID_TYPE: `const session = await digits(); await session.run({ image: new Tensor('int64', [1n], [1, 1, 1, 1]) });`,
  INVALID_SHAPE: `const session = await digits(); await session.run({ image: new Tensor('float32', [1], [1]) });`,
  INVALID_ATTRIBUTE: `await InferenceSession.create(modelOf('Softmax', 'float32', { axis: 'last' }));`,
  INVALID_VALUE: `
    const session = await InferenceSession.create(modelOf('Gather', 'float32', {}, builder.tensor('int64', [1], [7])));
    await session.run({ x: new Tensor('float32', [1, 2], [1, 2]) });`,
  UNSUPPORTED_OPERATOR: `await InferenceSession.create(modelOf('Frobnicate'));`,
  // All operators compute all types that their schemas admit.
  UNSUPPORTED_TYPE: `throw new SardonyxError('UNSUPPORTED_TYPE', 'cannot run on float4e2m1', { node: 'n', operator: 'Erf' });`,
  EXTERNAL_DATA: `await InferenceSession.create('external.onnx');`,
  MISSING_FEED: 'const session = await digits(); await session.run({});',
  UNKNOWN_FEED: 'const session = await digits(); await session.run({ image, picture: image });',
  UNKNOWN_OUTPUT: `const session = await digits(); await session.run({ image }, ['scores']);`,
  OUT_OF_MEMORY: `
    const b = builder.modelBuilder({ opset: 21 });
    b.output('y', b.op('Expand', [b.input('x', 'float32', [1]), b.input('shape', 'int64', ['r'])]));
    const session = await InferenceSession.create(b.toBytes());
    await session.run({ x: new Tensor('float32', [1], [1]), shape: new Tensor('int64', [2n ** 20n, 2n ** 20n], [2]) });`,
  LIMIT: `
    const b = builder.modelBuilder({ opset: 21 });
    b.output('y', b.op('ConstantOfShape', [b.input('shape', 'int64', [1])]));
    const session = await InferenceSession.create(b.toBytes(), { limits: { memoryBytes: 2 ** 26 } });
    await session.run({ shape: new Tensor('int64', [2n ** 28n], [1]) });`,
  FILE_NOT_FOUND: `await InferenceSession.create('absent.onnx');`,
  FILE_UNREADABLE: `await InferenceSession.create('.');`,
  DOWNLOAD: `await InferenceSession.create('http://127.0.0.1:9/model.onnx');`,
  INTEGRITY: `
    import { createServer } from 'node:http';
    const server = createServer((_, response) => response.end('something else')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = 'http://127.0.0.1:' + server.address().port + '/model.onnx';
    await cached(url, { folder: 'cache', integrity: 'sha256-' + '0'.repeat(64) });`,
  STORAGE: `await cached('http://127.0.0.1:9/model.onnx', { folder: 'digits.onnx/cache' });`,
  UNSUPPORTED_PLATFORM: 'delete globalThis.WebAssembly; await digits();',
  INTERNAL: `
    WebAssembly.Instance = class { constructor() { throw new TypeError('a fault'); } };
    await digits();`,
  WORKER_FAILED: `
    import { InferenceSession as Session } from 'sardonyx/worker';
    env.wasm.sessionWorkerUrl = new URL('absent.js', import.meta.url);
    await Session.create('digits.onnx');`,
  ABORTED: `const session = await digits(); await session.run({ image }, { signal: AbortSignal.abort() });`,
  RELEASED: 'const session = await digits(); await session.release(); await session.run({ image });',
};

/** What no program can meet yet, and this throws by itself. */
const BY_HAND: ReadonlySet<string> = new Set(['UNSUPPORTED_TYPE']);

/** They change what programs of the same process need. */
const ALONE: readonly string[] = ['UNSUPPORTED_PLATFORM', 'INTERNAL'] satisfies ErrorCode[];

/** What the terminal shows of a program's error, below the line that threw it. */
function uncaught(program: string): string {
  writeFileSync(join(folder, 'program.mjs'), PRELUDE + program);
  const { stderr, status } = spawnSync(process.execPath, ['program.mjs'], { cwd: folder, encoding: 'utf8' });
  assert.is(status, 1, stderr);
  return /^(?:SardonyxError|AbortError): [\s\S]*/m.exec(stderr)?.[0] ?? stderr;
}

/** The same of the other programs, in one process: Node shows what is uncaught as `inspect` does. */
function inspected(): Record<string, string> {
  const codes = Object.keys(PROGRAMS).filter((code) => !ALONE.includes(code));
  for (const code of codes) writeFileSync(join(folder, `${code}.mjs`), PRELUDE + PROGRAMS[code as ErrorCode]);
  const all = `
    import { inspect } from 'node:util';
    const shown = {};
    for (const code of ${JSON.stringify(codes)})
      shown[code] = await import('./' + code + '.mjs').then(() => 'it has not failed', inspect);
    process.stdout.write(JSON.stringify(shown), () => process.exit());`;
  const args = ['--input-type=module', '--eval', all];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' }));
}

/** The names in the stack of functions of the package. */
const framesOf = (stack: string) =>
  Array.from(
    stack.matchAll(/^ +at (?:async )?(?:new )?(.*?) ?\(?file:.*\/sardonyx\/dist\//gm),
    ([, name]) => name as string,
  );

/** Functions and private methods have any name, or none; classes and their other methods have their own. */
const NAMED = /^$|^#?[\w$]{1,3}$|^\w{4,}(\.\w{2,})?$/;

const test = suite('uncaught errors');
let longest = 0;

test('there is a program for every code', () => {
  const [union = ''] =
    /export type ErrorCode =[^;]+;/.exec(readFileSync(join(root, 'src/base/errors.ts'), 'utf8')) ?? [];
  const codes = Array.from(union.matchAll(/'(\w+)'/g), ([, code]) => code);
  assert.equal(Object.keys(PROGRAMS).sort(), codes.sort());
});

const shownOf = inspected();

/** Their stacks lead to the caller's line. */
const LEADING: readonly string[] = [
  'FILE_NOT_FOUND',
  'INVALID_TYPE',
  'INVALID_SHAPE',
  'MISSING_FEED',
  'UNKNOWN_FEED',
  'UNKNOWN_OUTPUT',
] satisfies ErrorCode[];

for (const [code, program] of Object.entries(PROGRAMS))
  test(`${code} is short and readable`, () => {
    const shown = shownOf[code] ?? uncaught(program);
    longest = Math.max(longest, shown.length);
    assert.ok(shown.length <= MOST_CHARACTERS, `${shown.length} characters: ${shown}`);
    const [, message = '', rest = ''] = /^(?:SardonyxError|AbortError): (\S.*)$([\s\S]*)/m.exec(shown) ?? [];
    assert.match(rest, `code: '${code}'`);
    const [own = ''] = rest.split('[cause]');
    assert.ok(message && !own.includes(message), `says it once: ${shown}`);
    assert.not.match(own, /complaint|place:/);
    const frames = framesOf(rest);
    assert.ok(frames.length > 0 || BY_HAND.has(code), shown);
    for (const name of frames) assert.match(name, NAMED, shown);
    if (LEADING.includes(code)) assert.match(rest, new RegExp(`^ +at .*${code}\\.mjs:\\d+:\\d+`, 'm'));
  });

test('what is uncaught is shown in the same way', () => {
  const nameless = (shown: string) => shown.replace(/(INVALID_SHAPE|program)\.mjs:/g, 'a program');
  assert.match(nameless(uncaught(PROGRAMS.INVALID_SHAPE)), nameless(shownOf.INVALID_SHAPE as string));
});

test.after(() => console.log(`the longest has ${longest} characters`));

test('of sardonyx/inline too', () => {
  const shown = uncaught(`
    import { InferenceSession as Session } from 'sardonyx/inline';
    await Session.create(new Uint8Array(4));`);
  assert.match(shown, 'SardonyxError: ');
  assert.ok(shown.length <= MOST_CHARACTERS, `${shown.length} characters: ${shown}`);
});

test.run();
