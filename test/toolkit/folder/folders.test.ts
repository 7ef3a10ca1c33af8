import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { zipSync } from 'fflate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../../src/index.js';
import {
  type Folder,
  type FolderSource,
  loadModel,
  openFolder,
  parseModel,
  saveModel,
  toExternalData,
} from '../../../src/tools/index.js';
import { expectRejection } from '../../expect-error.js';
import { f32 } from '../../values.js';
import { chosen, entryOf, handleOf, itemsOf } from './places.js';

const test = suite<{ root: string }>('folders');

const MODEL = `<ir_version: 10, opset_import: ["": 21]> g (float[3] x) => (float[3] y)
  <float[3] w = {1, 2, 3}> { y = Mul(x, w) }`;

let files: [string, Uint8Array][];

/** A model whose weights lie in a folder below it, beside 250 files and one that is nested less deep. */
test.before(async (context) => {
  context.root = mkdtempSync(join(tmpdir(), 'sardonyx-folder-'));
  const write = (path: string, bytes: Uint8Array) => {
    mkdirSync(dirname(join(context.root, path)), { recursive: true });
    writeFileSync(join(context.root, path), bytes);
  };
  const model = await toExternalData(parseModel(MODEL), { location: 'data/w.bin', threshold: 4 });
  await saveModel(model, join(context.root, 'net/sub/model.onnx'));
  for (let i = 0; i < 250; i++) write(`net/many/${i}.txt`, Uint8Array.of(i));
  write('net/top.txt', Uint8Array.of(7));
  files = readdirSync(context.root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.\w+$/.test(path))
    .map((path) => [path, new Uint8Array(readFileSync(join(context.root, path)))]);
  write('net.zip', zipSync(Object.fromEntries(files)));
});

test.after(({ root }) => rmSync(root, { recursive: true }));

const below = () => files.map(([path, bytes]) => [path.slice('net/'.length), bytes] as const);
const zipped = (level: 0 | 6) => zipSync(Object.fromEntries(files), { level });

const SOURCES: Readonly<Record<string, (root: string) => FolderSource>> = {
  'a path': (root) => join(root, 'net'),
  'a path with a slash at its end': (root) => `${join(root, 'net')}/`,
  'a file: URL': (root) => pathToFileURL(join(root, 'net')),
  'a zip file on disk': (root) => join(root, 'net.zip'),
  'bytes of a zip file': () => zipped(6),
  'a buffer of a zip file': () => zipped(6).slice().buffer as ArrayBuffer,
  'a Blob of a zip file': () => new Blob([zipped(6) as BlobPart]),
  'a Blob of a zip file without compression': () => new Blob([zipped(0) as BlobPart]),
  'the bytes of one without compression': () => zipped(0),
  'a zip file that was chosen': () => [new File([zipped(6) as BlobPart], 'net.zip')],
  'a directory handle': () => handleOf('net', below()),
  'an entry that was dropped': () => entryOf('net', below()),
  'the items of a drop': () => itemsOf(entryOf('net', below())),
  'the files of a folder': () => chosen(files),
  'bytes by path': () => files,
  'functions by path': () => files.map(([path, bytes]) => [path, async () => new Blob([bytes as BlobPart])] as const),
};

const listed = async (folder: Folder) => {
  const paths: string[] = [];
  for await (const { path } of folder.list()) paths.push(path);
  return paths;
};

async function named(folder: Folder, wanted: string) {
  for await (const file of folder.list()) if (file.path === wanted) return file;
  throw new Error(`there is no ${wanted}`);
}

for (const [name, sourceIn] of Object.entries(SOURCES))
  test(`the same files, and the model with the file beside it, from ${name}`, async ({ root }) => {
    const folder = await openFolder(sourceIn(root));
    assert.is(folder.name, 'net');
    const paths = await listed(folder);
    assert.equal(
      paths.toSorted(),
      below()
        .map(([path]) => path)
        .sort(),
    );
    assert.is(paths[0], 'top.txt', 'the least deep first');
    assert.equal(await openFolder(folder), folder);

    const file = await named(folder, 'sub/model.onnx');
    const { proto, files: beside } = await loadModel(file);
    assert.is(proto.graph?.node.length, 1);
    const weights = await beside('data/w.bin');
    assert.equal([...new Float32Array((await weights.range(0, weights.size)).slice().buffer)], [1, 2, 3]);
    const session = await InferenceSession.create(file);
    const { y } = await session.run({ x: f32([3], [1, 10, 100]) });
    assert.equal(Array.from(y?.data as Float32Array), [1, 20, 300]);
    await session.release();
  });

test('several things that were dropped are in a folder without a name', async () => {
  const folder = await openFolder(itemsOf(entryOf('one', below()), entryOf('two', [['x', Uint8Array.of(1)]])));
  assert.is(folder.name, '');
  assert.equal(
    (await listed(folder)).filter((path) => path.startsWith('two') || path.endsWith('top.txt')),
    ['one/top.txt', 'two/x'],
  );
});

test('a file beside a model lies in its folder or below', async () => {
  const folder = await openFolder(files);
  const file = await named(folder, 'sub/model.onnx');
  for (const path of ['../top.txt', '/net/top.txt', 'data/../../top.txt', 'data\\..\\..\\top.txt'])
    await expectRejection('EXTERNAL_DATA', /is not a relative path within the model's folder/, file.beside(path, {}));
  assert.is(await file.beside('./absent', {}), undefined);
  assert.ok(await file.beside('./data/w.bin', {}));
});

test('links to folders are not followed', async ({ root }) => {
  const place = join(root, 'linked');
  mkdirSync(place);
  symlinkSync(place, join(place, 'again'), 'dir');
  writeFileSync(join(place, 'x'), '');
  symlinkSync(join(place, 'x'), join(place, 'y'));
  assert.equal((await listed(await openFolder(place))).filter((path) => path !== 'again').toSorted(), ['x', 'y']);
});

test('says what is no folder', async ({ root }) => {
  await expectRejection('FILE_NOT_FOUND', /".*absent" does not exist/, openFolder(join(root, 'absent')));
  await expectRejection(
    'INVALID_VALUE',
    /not a zip file: no zip directory at the end/,
    openFolder(join(root, 'net/top.txt')),
  );
  for (const nothing of [undefined, null, 7, {}, true])
    await expectRejection('INVALID_ARGUMENT', /expected a folder \(a path, a zip file/, openFolder(nothing as never));
  for (const list of [[7], [null], [['path']].map(() => ({})), [[3, new Uint8Array()]]])
    await expectRejection('INVALID_ARGUMENT', /a path|path:|cannot be read/, openFolder(list as never));
});

test('an unreadable entry says which', async () => {
  const entry = {
    ...entryOf('net', []),
    createReader: () => ({ readEntries: (_: unknown, no: (e: Error) => void) => no(new Error('gone')) }),
  };
  const folder = await openFolder(itemsOf(entry as unknown as FileSystemEntry));
  await expectRejection('FILE_UNREADABLE', /cannot read "\/net": gone/, listed(folder));
});

test.run();
