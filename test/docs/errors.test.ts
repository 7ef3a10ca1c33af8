// That each error code has a page, and that the pages quote messages as they are printed.
import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { type ErrorCode, InferenceSession, SardonyxError, Tensor } from '../../src/index.js';
import { parseModel } from '../../src/tools/text.js';
import * as models from '../session/contract/models.js';

const test = suite('pages of error codes');
const FOLDER = new URL('../../docs/errors/', import.meta.url);
const read = (file: string | URL) => readFileSync(new URL(file, FOLDER), 'utf8');

const [, union = ''] = /export type ErrorCode =([^;]+);/.exec(read('../../src/base/errors.ts')) ?? [];
const CODES = Array.from(union.matchAll(/\| '([A-Z_]+)'/g), ([, code]) => code as ErrorCode);
const fileOf = (code: ErrorCode) => new URL(new SardonyxError(code, 'x').help).pathname.split('/').at(-1) as string;

test('each code has a page, and each page a code', () => {
  assert.ok(CODES.length > 20);
  assert.equal(readdirSync(FOLDER).sort(), ['README.md', ...CODES.map(fileOf)].sort());
  for (const code of CODES) assert.match(read(fileOf(code)), new RegExp(`^# ${code}\n`));
});

test('the index lists each code once', () => {
  const listed = Array.from(read('README.md').matchAll(/^\| \[`([A-Z_]+)`\]\(([^)]+)\)/gm), ([, code, file]) => [
    code,
    file,
  ]);
  assert.equal(listed.toSorted(), CODES.map((code) => [code, fileOf(code)]).toSorted());
});

test('an error links to its page, where consoles print it', () => {
  const error = new SardonyxError('FILE_NOT_FOUND', 'x');
  assert.is(error.help, 'https://github.com/sardonyx-js/sardonyx/blob/main/docs/errors/file-not-found.md');
  assert.equal(
    Object.keys(error).filter((key) => key !== 'name'),
    ['code', 'help'],
  );
});

const x = new Tensor('float32', [1, 2], [1, 2]);
const summing = async (feeds: object, ...rest: unknown[]) =>
  ((await InferenceSession.create(models.sum())).run as (...given: unknown[]) => Promise<unknown>)(feeds, ...rest);

function oneNode(op: string, attributes = {}, domain?: string): Promise<InferenceSession> {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op(op, [b.input('x', 'float32', [2, 3])], attributes, { name: 'act', ...(domain && { domain }) }));
  return InferenceSession.create(b.toBytes());
}

async function embedding() {
  const b = modelBuilder({ opset: 21 });
  const table = b.constant('table', tensor('float32', [10, 1], new Array(10).fill(0)));
  b.output('y', b.op('Gather', [table, b.input('ids', 'int64', [1, 2])], {}, { name: 'embed' }));
  const ids = new Tensor('int64', [1n, 30522n], [1, 2]);
  return (await InferenceSession.create(b.toBytes())).run({ ids });
}

async function spread(limits = {}) {
  const session = await InferenceSession.create(models.spread());
  return session.run({ x: new Tensor('float32', [1]), size: new Tensor('int64', [2n ** 50n]) }, { limits });
}

/** What each makes wrong is in a row of its code's page. */
const WRONG: Partial<Record<ErrorCode, readonly (() => unknown)[]>> = {
  INVALID_ARGUMENT: [
    () => summing(x),
    () => InferenceSession.create(Promise.resolve() as never),
    () => InferenceSession.create(models.sum(), 'wasm' as never),
    () => InferenceSession.create(models.sum(), { graphOptimizationLevel: 'most' as never }),
    () => summing({ a: x, b: x }, { signal: new AbortController() }),
  ],
  INVALID_MODEL: [() => InferenceSession.create(new TextEncoder().encode('<!doctype html><title>Not found</title>'))],
  INVALID_TEXT: [() => parseModel('g () => () { y = Relu[x] }')],
  INVALID_GRAPH: [() => oneNode('Gelu', {}, 'com.microsoft')],
  INVALID_TYPE: [
    () => summing({ a: new Tensor('uint8', [1, 2], [1, 2]), b: x }),
    () => summing({ a: Float32Array.of(1, 2), b: x }),
    () => new Tensor('float32', new Float64Array(2) as never),
  ],
  INVALID_SHAPE: [
    () => summing({ a: new Tensor('float32', [1, 2], [2]), b: x }),
    () => new Tensor('float32', new Float32Array(3), [2, 2]),
  ],
  INVALID_ATTRIBUTE: [() => oneNode('Softmax', { axis: 'last' })],
  INVALID_VALUE: [embedding, () => new Tensor('uint8', [300]), () => new Tensor('float32', [[1]] as never)],
  UNSUPPORTED_OPERATOR: [() => oneNode('Relo')],
  EXTERNAL_DATA: [],
  FILE_NOT_FOUND: [() => InferenceSession.create('absent/model.onnx')],
  FILE_UNREADABLE: [() => InferenceSession.create('.')],
  MISSING_FEED: [() => summing({ b: x })],
  UNKNOWN_FEED: [() => summing({ as: x, b: x })],
  UNKNOWN_OUTPUT: [() => summing({ a: x, b: x }, ['yy'])],
  OUT_OF_MEMORY: [() => spread()],
  LIMIT: [() => spread({ memoryBytes: 2 ** 22 })],
  DOWNLOAD: [() => InferenceSession.create('http://127.0.0.1:9/model.onnx')],
  ABORTED: [() => summing({ a: x, b: x }, { signal: AbortSignal.abort() })],
  RELEASED: [
    async () => {
      const session = await InferenceSession.create(models.sum());
      await session.release();
      return session.run({ a: x, b: x });
    },
  ],
};

async function errorOf(work: () => unknown): Promise<SardonyxError> {
  try {
    await work();
  } catch (error) {
    assert.instance(error, SardonyxError, (error as Error).stack as string);
    return error as SardonyxError;
  }
  return assert.unreachable('nothing was thrown') as never;
}

/** Names, sizes and types vary; the words around them are those of the page. */
const wordsOf = (message: string) =>
  message
    .replace(/"[^"]*"|'[^']*'|\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|https?:\S+|[\d,]+|…/g, ' ')
    .split(/[^A-Za-z]+/)
    .filter((word) => word.length > 2);

for (const [code, programs] of Object.entries(WRONG))
  test(`${code}: the page quotes messages that are printed`, async () => {
    const rows = Array.from(read(fileOf(code as ErrorCode)).matchAll(/^\| `([^`]+)` \|/gm), ([, row]) => row as string);
    for (const program of programs) {
      const error = await errorOf(program);
      assert.is(error.code, code, error.message);
      const words = new Set(wordsOf(error.message));
      const quotes = rows.filter((row) => wordsOf(row).filter((word) => !words.has(word)).length <= 2);
      assert.ok(quotes.length > 0, `no row is like: ${error.message}`);
    }
  });

test.run();
