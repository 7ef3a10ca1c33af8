import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { zipSync } from 'fflate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as sardonyx from '../../../src/index.js';
import { conformanceCases, runConformance } from '../../../src/tools/conformance/index.js';
import type { FolderSource } from '../../../src/tools/folder/index.js';
import { expectRejection } from '../../expect-error.js';
import { relu, THREE } from './suites.js';

const test = suite<{ root: string }>('where cases come from');

test.before((context) => {
  context.root = mkdtempSync(join(tmpdir(), 'sardonyx-suite-'));
  for (const [path, bytes] of Object.entries({ ...THREE, 'suite.zip': zipSync(THREE), 'broken.zip': relu() })) {
    mkdirSync(dirname(join(context.root, path)), { recursive: true });
    writeFileSync(join(context.root, path), bytes);
  }
});

test.after(({ root }) => rmSync(root, { recursive: true }));

/** A folder as `showDirectoryPicker` and OPFS give it. */
function handleOf(name: string, files: readonly (readonly [path: string, bytes: Uint8Array])[]): object {
  const below = new Map<string, [string, Uint8Array][]>();
  for (const [path, bytes] of files) {
    const [first = '', ...rest] = path.split('/');
    below.set(first, [...(below.get(first) ?? []), [rest.join('/'), bytes]]);
  }
  const entries = [...below].map(([child, inner]) =>
    inner[0]?.[0] === ''
      ? { kind: 'file', name: child, getFile: async () => new Blob([inner[0]?.[1] as BlobPart]) }
      : handleOf(child, inner),
  );
  return {
    kind: 'directory',
    name,
    getFileHandle() {},
    async *values() {
      yield* entries;
    },
  };
}

/** The files that `<input webkitdirectory>` has. */
const chosen = (): File[] =>
  Object.entries(THREE).map(([path, bytes]) => {
    const file = new File([bytes as BlobPart], path.split('/').at(-1) as string);
    return Object.defineProperty(file, 'webkitRelativePath', { value: path });
  });

const SOURCES: Readonly<Record<string, (root: string) => FolderSource>> = {
  'a path': (root) => root,
  'a file: URL': (root) => pathToFileURL(root),
  'a zip file on disk': (root) => join(root, 'suite.zip'),
  'the bytes of a zip file': () => zipSync(THREE),
  'a zip file that was fetched': () => new Blob([zipSync(THREE) as BlobPart]),
  "the user's folder": () => handleOf('', Object.entries(THREE)) as FileSystemDirectoryHandle,
  'the files of a folder': chosen,
  'bytes by path': () => Object.entries(THREE),
  'functions by path': () => Object.entries(THREE).map(([path, bytes]) => [path, async () => bytes] as const),
};

for (const [name, sourceIn] of Object.entries(SOURCES))
  test(`the same cases from ${name}`, async ({ root }) => {
    const cases = await conformanceCases(sourceIn(root));
    const { totals, cases: results } = await runConformance(cases, sardonyx);
    assert.equal(
      results.map(({ name, outcome }) => `${name} ${outcome}`),
      ['node/test_relu passed', 'node/test_relu_off failed', 'simple/test_other passed'],
    );
    assert.equal(totals, { cases: 3, passed: 2, failed: 1, refused: 0 });
    assert.equal(
      cases.map(({ dataSets }) => dataSets.length),
      [2, 1, 1],
    );
  });

test('a single case keeps its name', async ({ root }) => {
  for (const folder of ['data/node/test_relu', 'data/simple'])
    assert.equal((await conformanceCases(join(root, folder))).length, 1);
  const [only] = await conformanceCases(Object.entries(THREE).filter(([path]) => path.includes('test_relu/')));
  assert.is(only?.name, 'test_relu');
});

test('says what is wrong with a source', async ({ root }) => {
  await expectRejection('FILE_NOT_FOUND', /absent" does not exist/, conformanceCases(join(root, 'absent')));
  await expectRejection('INVALID_VALUE', /not a zip file/, conformanceCases(join(root, 'broken.zip')));
  await expectRejection('INVALID_VALUE', /not a zip file/, conformanceCases(new Uint8Array(9)));
  await expectRejection('INVALID_VALUE', /no test cases found; a test case is a model and/, conformanceCases([]));
  await expectRejection('INVALID_VALUE', /no test cases/, conformanceCases([['model.onnx', relu()]]));
  for (const nothing of [undefined, null, 7, {}])
    await expectRejection(
      'INVALID_ARGUMENT',
      /expected a folder \(a path, a zip file/,
      conformanceCases(nothing as never),
    );
});

test.run();
