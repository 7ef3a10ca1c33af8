import { mkdtempSync, promises, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CachePlace, cached, list, remove } from '../../src/cache/index.js';
import { expectRejection } from '../expect-error.js';
import { check } from '../loading/check-product.js';
import { memoryCacheStorage } from '../loading/memory-cache-storage.js';
import { product } from '../loading/models.js';
import { serve, whole } from '../loading/server.js';
import { inTime } from './in-time.js';
import { replacing } from './refusals.js';

const bytes = product();
const server = await serve({});
const url = `${server.url}/model.onnx`;
const base = mkdtempSync(join(tmpdir(), 'sardonyx-'));
let places = 0;

/** Where files are kept, when there is room for so many writes. */
interface Storage {
  readonly place: CachePlace;
  /** Does `work` while some writes, which are counted from 1, find no room; gives the number of those refused. */
  refusing(isRefused: (write: number) => boolean, work: () => Promise<void>): Promise<number>;
  /** All that is stored there, by whatever name. */
  contents(): Promise<readonly string[]>;
}

function folderStorage(): Storage {
  const folder = join(base, `place${places++}`);
  const full = () => Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  return {
    place: { folder },
    async refusing(isRefused, work) {
      let [writes, refused] = [0, 0];
      const take = () => {
        if (!isRefused(++writes)) return;
        refused++;
        throw full();
      };
      const { open, writeFile } = promises;
      const openFull: typeof open = async (...given) => {
        const file = await open(...given);
        const { write, sync } = file;
        return Object.assign(file, {
          write: async (...args: Parameters<typeof write>) => {
            take();
            return write.apply(file, args);
          },
          sync: async () => {
            take();
            return sync.call(file);
          },
        });
      };
      // A full disk takes the name of a file and none of its bytes.
      const writeFull = async (path: string, text: string) => {
        await writeFile(path, '');
        take();
        await writeFile(path, text);
      };
      await replacing(promises, 'open', openFull, () =>
        replacing(promises, 'writeFile', writeFull as typeof writeFile, work),
      );
      return refused;
    },
    contents: async () => {
      try {
        return readdirSync(folder);
      } catch {
        return [];
      }
    },
  };
}

type Put = (url: string, response: Response) => Promise<void>;

function cacheStorage(): Storage {
  const name = `shelf${places++}`;
  return {
    place: { name },
    async refusing(isRefused, work) {
      const storage = globalThis.caches;
      let [writes, refused] = [0, 0];
      const open = async (name: string) => {
        const cache = (await storage.open(name)) as object as { put: Put };
        const put: Put = async (url, response) => {
          if (!isRefused(++writes)) return cache.put(url, response);
          refused++;
          throw new DOMException('full', 'QuotaExceededError');
        };
        return { ...cache, put };
      };
      globalThis.caches = { open } as object as CacheStorage;
      try {
        await work();
      } finally {
        globalThis.caches = storage;
      }
      return refused;
    },
    async contents() {
      const cache = await globalThis.caches.open(name);
      return (await cache.keys()).map(({ url }) => url);
    },
  };
}

const KINDS = { 'a folder': folderStorage, 'the Cache API': cacheStorage };
/** Which writes find no room, if it is that one that is tried. */
const REFUSALS: Readonly<Record<string, (tried: number) => (write: number) => boolean>> = {
  'some write': (tried) => (write) => write === tried,
  'all from some write on': (tried) => (write) => write >= tried,
};

const HEADERS: Readonly<Record<string, Record<string, string>>> = {
  'with a version': { etag: '"1"' },
  'without a version': {},
};

for (const [kind, make] of Object.entries(KINDS)) {
  const test = suite(`a full storage: ${kind}`);
  test.before(() => {
    globalThis.caches = memoryCacheStorage();
  });

  const trial = (version: string, headers: Record<string, string>, which: string) => async () => {
    let refused = 0;
    for (let tried = 1; ; tried++) {
      const storage = make();
      const { place } = storage;
      const after = `after write ${tried}`;
      server.handlers['/model.onnx'] = whole(bytes, headers);
      const now = await storage.refusing((REFUSALS[which] as (typeof REFUSALS)[string])(tried), async () => {
        const kept = inTime('cached', cached(url, place));
        await kept.then(check, (error) => expectRejection('STORAGE', /no space/, Promise.reject(error)));
      });
      if (now === 0) break;
      refused += now;
      if (!headers.etag) assert.equal(await storage.contents(), [], after);
      delete server.handlers['/model.onnx'];
      assert.equal(await list(place), [], after);
      await expectRejection('DOWNLOAD', /404/, cached(url, place));
      server.handlers['/model.onnx'] = whole(bytes, headers);
      await check(await cached(url, place));
      assert.is((await list(place)).length, 1, after);
      assert.is((await storage.contents()).length, 2, after);
      await remove(url, place);
      assert.equal(await storage.contents(), [], after);
      assert.ok(tried < 50, 'writes without end');
    }
    console.log(`${kind} ${version}, ${which}: ${refused} refused`);
    assert.ok(refused > 1);
  };

  for (const [version, headers] of Object.entries(HEADERS))
    for (const which of Object.keys(REFUSALS))
      test(
        `${version}, ${which} finds no room: that is said, nothing half-kept is given, and the next try is right`,
        trial(version, headers, which),
      );

  test.run();
}

const end = suite('a full storage: end');
end('server and folder go', async () => {
  await server.close();
  rmSync(base, { recursive: true, force: true });
});
end.run();
