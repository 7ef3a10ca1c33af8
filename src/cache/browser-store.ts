import { GrowingBytes } from '../loading/growing-bytes.js';
import type { Appender, FileStore } from './file-store.js';

/** Size of a piece: the most that an interrupted download loses, and that memory holds at a time. */
const PIECE_BYTES = 4 << 20;

/** Prefix of the keys, because the Cache API requires URLs. Nothing is served there. */
const BASE = 'https://sardonyx.invalid/';
const addressOf = (name: string) => `${BASE}${name}`;

/** The Cache API's entries by name. */
function entriesOf(storage: CacheStorage, name: string) {
  const cache = storage.open(name);
  cache.catch(() => {});
  return {
    match: async (entry: string) => (await cache).match(addressOf(entry)),
    put: async (entry: string, contents: Response) => (await cache).put(addressOf(entry), contents),
    remove: async (entry: string) => (await cache).delete(addressOf(entry)),
    names: async () => (await (await cache).keys()).map(({ url }) => url.slice(BASE.length)),
  };
}

type Entries = ReturnType<typeof entriesOf>;

const piece = (file: string, i: number) => `${file}/${i}`;

async function* piecesOf(entries: Entries, file: string): AsyncGenerator<Response> {
  for (let i = 0; ; i++) {
    const found = await entries.match(piece(file, i));
    if (!found) return;
    yield found;
  }
}

async function measure(entries: Entries, file: string) {
  let [count, length] = [0, 0];
  for await (const { headers } of piecesOf(entries, file)) {
    count++;
    length += Number(headers.get('content-length'));
  }
  return { count, length };
}

async function appenderTo(entries: Entries, file: string): Promise<Appender> {
  let { count, length } = await measure(entries, file);
  const waiting = new GrowingBytes(PIECE_BYTES);
  const lay = async () => {
    if (waiting.length === 0) return;
    const headers = { 'content-length': `${waiting.length}` };
    await entries.put(piece(file, count), new Response(waiting.bytes, { headers }));
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
}

/** Joins the pieces to one stream that reads each on demand. */
function streamOf(pieces: AsyncGenerator<Response>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(new Uint8Array(await value.arrayBuffer()));
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * A store in the Cache API: pages, workers, service workers and Deno. A file is a list of pieces, because entries cannot be appended to.
 */
export function browserStore(
  storage: CacheStorage | undefined = globalThis.caches,
  name = 'sardonyx',
): FileStore | null {
  if (!storage) return null;
  const entries = entriesOf(storage, name);
  return {
    place: name,
    readText: async (entry) => (await entries.match(entry))?.text(),
    writeText: (entry, text) => entries.put(entry, new Response(text)),
    names: async () => [...new Set((await entries.names()).map((key) => key.split('/')[0] as string))],
    async remove(entry) {
      const own = (await entries.names()).filter((key) => key === entry || key.startsWith(`${entry}/`));
      for (const key of own) await entries.remove(key);
    },
    size: async (file) => (await measure(entries, file)).length,
    append: (file) => appenderTo(entries, file),
    open: async (file, bytes) =>
      new Response(streamOf(piecesOf(entries, file)), { headers: { 'content-length': `${bytes}` } }),
  };
}
