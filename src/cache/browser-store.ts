import { GrowingBytes } from '../loading/growing-bytes.js';
import type { Appender, FileStore } from './file-store.js';

/** What a broken download loses at most, and what is held in memory at a time. */
const PIECE_BYTES = 4 << 20;

/** Keys of the Cache API are addresses; nobody serves this one. */
const BASE = 'https://sardonyx.invalid/';
const addressOf = (name: string) => `${BASE}${name}`;

/** The Cache API: pages, workers and service workers, Deno. A file is a row of pieces, since entries cannot be appended to. */
export function browserStore(
  storage: CacheStorage | undefined = globalThis.caches,
  name = 'sardonyx',
): FileStore | null {
  if (!storage) return null;
  const cache = storage.open(name);
  cache.catch(() => {});
  const match = async (entry: string) => (await cache).match(addressOf(entry));
  const keys = async () => (await (await cache).keys()).map(({ url }) => url.slice(BASE.length));
  const piece = (file: string, i: number) => `${file}/${i}`;

  async function* piecesOf(file: string): AsyncGenerator<Response> {
    for (let i = 0; ; i++) {
      const found = await match(piece(file, i));
      if (!found) return;
      yield found;
    }
  }

  async function measure(file: string) {
    let [count, length] = [0, 0];
    for await (const { headers } of piecesOf(file)) {
      count++;
      length += Number(headers.get('content-length'));
    }
    return { count, length };
  }

  return {
    place: name,
    readText: async (entry) => (await match(entry))?.text(),
    writeText: async (entry, text) => (await cache).put(addressOf(entry), new Response(text)),
    names: async () => [...new Set((await keys()).map((key) => key.split('/')[0] as string))],
    async remove(entry) {
      const own = (await keys()).filter((key) => key === entry || key.startsWith(`${entry}/`));
      for (const key of own) await (await cache).delete(addressOf(key));
    },
    size: async (file) => (await measure(file)).length,
    async append(file): Promise<Appender> {
      let { count, length } = await measure(file);
      const waiting = new GrowingBytes(PIECE_BYTES);
      const lay = async () => {
        if (waiting.length === 0) return;
        const headers = { 'content-length': `${waiting.length}` };
        await (await cache).put(addressOf(piece(file, count)), new Response(waiting.bytes, { headers }));
        count++;
        length += waiting.length;
        waiting.length = 0;
      };
      return {
        get length() {
          return length + waiting.length;
        },
        async write(bytes) {
          waiting.push(bytes);
          if (waiting.length >= PIECE_BYTES) await lay();
        },
        close: lay,
      };
    },
    async open(file, bytes) {
      const pieces = piecesOf(file);
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const { done, value } = await pieces.next();
            if (done) controller.close();
            else controller.enqueue(new Uint8Array(await value.arrayBuffer()));
          },
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { headers: { 'content-length': `${bytes}` } });
    },
  };
}
