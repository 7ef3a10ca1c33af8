import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { imageTensor } from '../../src/image/index.js';
import { InferenceSession, type SardonyxError } from '../../src/index.js';
import type { DataSource } from '../../src/loading/source.js';

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

test.run();
