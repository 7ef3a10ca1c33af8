import { readFileSync } from 'node:fs';
import { zipSync } from 'fflate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SardonyxError } from '../../../src/base/errors.js';
import { openFolder } from '../../../src/tools/index.js';
import { bytesFrom } from '../../../src/tools/read-value-file.js';
import { expectRejection } from '../../expect-error.js';

const test = suite('zip files');

interface Archives {
  readonly files: Readonly<Record<string, string>>;
  readonly forms: Readonly<Record<string, string>>;
}

/** By Python: witness.py. */
const { files, forms }: Archives = JSON.parse(readFileSync(new URL('archives.json', import.meta.url), 'utf8'));
const decoded = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'base64'));

async function contentsOf(zip: Uint8Array | Blob): Promise<Record<string, Uint8Array>> {
  const found: Record<string, Uint8Array> = {};
  for await (const file of (await openFolder(zip)).list()) found[file.path] = await bytesFrom(file);
  return found;
}

const EXPECTED = Object.fromEntries(Object.entries(files).map(([path, text]) => [path, [...decoded(text)]]));
const plain = (found: Record<string, Uint8Array>) =>
  Object.fromEntries(Object.entries(found).map(([path, bytes]) => [path, [...bytes]]));

for (const [name, text] of Object.entries(forms))
  test(`reads what Python writes ${name}`, async () => {
    assert.equal(plain(await contentsOf(decoded(text))), EXPECTED);
    assert.equal(plain(await contentsOf(new Blob([decoded(text) as BlobPart]))), EXPECTED);
  });

/** Whether a damaged file gives what was in it, or says that it is damaged; all else is a fault. */
async function isSafe(zip: Uint8Array): Promise<boolean> {
  try {
    for (const [path, bytes] of Object.entries(await contentsOf(zip)))
      if (path in files && `${[...bytes]}` !== `${EXPECTED[path]}`) return false;
    return true;
  } catch (error) {
    return error instanceof SardonyxError && error.code === 'INVALID_VALUE';
  }
}

for (const name of ['deflated', 'stored', 'with all numbers in 64 bits'])
  test(`of a file ${name}, whatever byte is another, nothing wrong is read`, async () => {
    const whole = decoded(forms[name] as string);
    for (let at = 0; at < whole.length; at++) {
      const damaged = whole.slice();
      damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
      assert.ok(await isSafe(damaged), `byte ${at}`);
    }
    for (let end = 0; end < whole.length; end += 3)
      await expectRejection('INVALID_VALUE', /not a zip file/, openFolder(whole.subarray(0, end)));
  });

/** The place of a field in the directory's only entry. */
const inDirectory = (zip: Uint8Array, field: number): number => Buffer.from(zip).lastIndexOf('PK\x01\x02') + field;

function withWord(zip: Uint8Array, at: number, word: number): Uint8Array {
  const changed = zip.slice();
  new DataView(changed.buffer).setUint32(at, word, true);
  return changed;
}

test('no more is inflated than the directory says, and that is no more than can be', async () => {
  const zip = zipSync({ 'x.bin': new Uint8Array(50_000_000) }, { level: 9 });
  const size = inDirectory(zip, 24);
  await expectRejection('INVALID_VALUE', /"x.bin".* more than 1000 bytes/, contentsOf(withWord(zip, size, 1000)));
  const before = process.memoryUsage().arrayBuffers;
  await expectRejection('INVALID_VALUE', /cannot expand to 4000000000/, contentsOf(withWord(zip, size, 4e9)));
  await expectRejection(
    'INVALID_VALUE',
    /has 50000000 bytes; the size in the zip directory is 50000001/,
    contentsOf(withWord(zip, size, 50_000_001)),
  );
  assert.ok(process.memoryUsage().arrayBuffers - before < 250e6);
});

test('says what it does not read', async () => {
  const zip = zipSync({ 'x.bin': Uint8Array.of(1, 2, 3) }, { level: 0 });
  const withShort = (field: number, short: number) => {
    const changed = zip.slice();
    new DataView(changed.buffer).setUint16(inDirectory(zip, field), short, true);
    return changed;
  };
  await expectRejection('INVALID_VALUE', /"x.bin".* encrypted files are not supported/, contentsOf(withShort(8, 1)));
  await expectRejection(
    'INVALID_VALUE',
    /unsupported compression method 93; expected 0 \(stored\) or 8/,
    contentsOf(withShort(10, 93)),
  );
  await expectRejection(
    'INVALID_VALUE',
    /the data is outside the zip file/,
    contentsOf(withWord(zip, inDirectory(zip, 42), 9999)),
  );
});

test.run();
