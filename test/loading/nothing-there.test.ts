import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { imageTensor } from '../../src/image/index.js';
import { InferenceSession, type SardonyxError } from '../../src/index.js';
import type { DataSource } from '../../src/loading/source.js';
import { replacing } from '../faults/refusals.js';

const test = suite('sources in which there is nothing');

const model = (source: DataSource) => InferenceSession.create(source);
const picture = (source: DataSource) => imageTensor(source);

type Codes = readonly [model: string, picture: string];

const CLOSED = 'http://127.0.0.1:9/file';

/** Made anew for each: streams are read once. */
const SOURCES: Readonly<Record<string, readonly [make: () => DataSource, codes: Codes]>> = {
  'an empty string': [() => '', ['INVALID_ARGUMENT', 'INVALID_ARGUMENT']],
  blanks: [() => '  ', ['INVALID_ARGUMENT', 'INVALID_ARGUMENT']],
  'a path': [() => '/nowhere/file', ['FILE_NOT_FOUND', 'FILE_NOT_FOUND']],
  'a folder': [() => '/', ['FILE_UNREADABLE', 'FILE_UNREADABLE']],
  'a file: URL': [() => new URL('file:///nowhere/file'), ['FILE_NOT_FOUND', 'FILE_NOT_FOUND']],
  'a URL': [() => new URL(CLOSED), ['DOWNLOAD', 'DOWNLOAD']],
  'an address': [() => CLOSED, ['DOWNLOAD', 'DOWNLOAD']],
  'a Response of status 404': [() => new Response('no', { status: 404 }), ['DOWNLOAD', 'DOWNLOAD']],
  'a Response of status 204': [() => new Response(null, { status: 204 }), ['DOWNLOAD', 'DOWNLOAD']],
  'an empty Response': [() => new Response(''), ['INVALID_MODEL', 'INVALID_VALUE']],
  'an empty Blob': [() => new Blob([]), ['INVALID_MODEL', 'INVALID_VALUE']],
  'a Blob of text': [() => new Blob(['hello']), ['INVALID_MODEL', 'INVALID_VALUE']],
  'an empty stream': [() => new Blob([]).stream() as ReadableStream<Uint8Array>, ['INVALID_MODEL', 'INVALID_VALUE']],
  'an empty ArrayBuffer': [() => new ArrayBuffer(0), ['INVALID_MODEL', 'INVALID_VALUE']],
  'an empty Uint8Array': [() => new Uint8Array(0), ['INVALID_MODEL', 'INVALID_VALUE']],
};

const refusalOf = (work: Promise<unknown>): Promise<SardonyxError | undefined> =>
  work.then(
    () => undefined,
    (error: SardonyxError) => error,
  );

for (const [name, [make, [ofModel, ofPicture]]] of Object.entries(SOURCES))
  test(`${name}: the code says what is wrong, and the words what of`, async () => {
    const noModel = await refusalOf(model(make()));
    assert.is(noModel?.code, ofModel);
    assert.not.match(noModel?.message ?? '', /picture/);
    const noPicture = await refusalOf(picture(make()));
    assert.is(noPicture?.code, ofPicture);
    assert.not.match(noPicture?.message ?? '', /\bmodel\b/);
  });

test('an empty string suggests no file of the working directory', async () => {
  const error = await refusalOf(model(''));
  assert.is(error?.message, 'model: the path is empty');
});

/** How engines say that a policy forbids WebAssembly: Chromium, Node, Firefox, Safari. */
const FORBIDDEN = [
  `WebAssembly.Instance(): Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not an allowed source of script in the following Content Security Policy directive: "script-src 'self'"`,
  'WebAssembly.Instance(): Wasm code generation disallowed by embedder',
  'call to WebAssembly.Instance() blocked by CSP',
  `Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not an allowed source of script in the following Content Security Policy directive: "script-src 'self'".`,
];

/** A product of integers, whose kernels are an instance of their own. */
function products(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('MatMulInteger', [b.input('a', 'uint8', [2, 3]), b.input('b', 'uint8', [3, 2])]));
  return b.toBytes();
}

/** Refuses one instance, with this message; modules are compiled. */
function refusing<T>(refused: number, message: string, work: () => Promise<T>): Promise<T> {
  let count = 0;
  const Instance = new Proxy(WebAssembly.Instance, {
    construct(target, given: ConstructorParameters<typeof WebAssembly.Instance>) {
      if (++count === refused) throw new WebAssembly.CompileError(message);
      return new target(...given);
    },
  });
  return replacing(WebAssembly, 'Instance', Instance, work);
}

for (const [refused, whose] of ['all models', 'products of integers'].entries()) {
  test(`a policy that forbids instances, not modules, is named: kernels of ${whose}`, async () => {
    for (const message of FORBIDDEN) {
      const error = await refusing(refused + 1, message, () => refusalOf(model(products())));
      assert.is(error?.code, 'UNSUPPORTED_PLATFORM', message);
      assert.match(error?.message ?? '', /policy forbids WebAssembly.*add 'wasm-unsafe-eval' to script-src/);
      assert.ok(error?.message.includes(message));
    }
  });

  test(`what else is wrong with an instance is no policy: kernels of ${whose}`, async () => {
    const error = await refusing(refused + 1, 'import object field "now" is not a function', () =>
      refusalOf(model(products())),
    );
    assert.match(error?.message ?? '', /is not a function/);
    assert.not.match(error?.message ?? '', /policy/);
  });
}

test('once nothing is forbidden, the same model loads', async () => {
  const session = await model(products());
  await session.release();
});

test.run();
