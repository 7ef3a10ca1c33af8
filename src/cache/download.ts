import { SardonyxError } from '../base/errors.js';
import { brokenOff, incoming, receive, request } from '../loading/incoming.js';
import type { Loading } from '../loading/loading.js';
import { type Entry, guarded, type Library, type Part } from './library.js';

/** Connections per download. A broken connection is replaced only if it has transferred something. */
const MOST_CONNECTIONS = 8;

interface Transfer {
  readonly response: Response;
  readonly part: Part;
}

/** Downloads a file to the store, resuming an interrupted download of the same version. */
export async function download(url: string, library: Library, loading: Loading): Promise<Entry> {
  for (let connection = 1; ; connection++) {
    const before = await library.begun(url);
    try {
      return await transfer(url, library, loading);
    } catch (error) {
      loading.check();
      const brokeOff = error instanceof SardonyxError && error.code === 'DOWNLOAD' && typeof error.cause !== 'number';
      const goesOn = brokeOff && (await library.begun(url)) > before;
      if (!goesOn || connection === MOST_CONNECTIONS) throw error;
    }
  }
}

async function transfer(url: string, library: Library, loading: Loading): Promise<Entry> {
  const { response, part } = await connect(url, library, loading.signal);
  try {
    return await fill(part, response, url, library, loading);
  } catch (error) {
    // Removes a part that no later download can continue, because it would take up space forever.
    if (part.tag === '') await library.remove(part.file).catch(() => {});
    throw error;
  }
}

async function fill(part: Part, response: Response, url: string, library: Library, loading: Loading): Promise<Entry> {
  const file = incoming(response, url);
  const appender = await library.append(part);
  const begun = appender.length;
  const meter = loading.meter.file(url);
  const total = file.total === undefined ? undefined : begun + file.total;
  try {
    await receive(
      file,
      loading,
      (bytes) => guarded(() => appender.write(bytes)),
      (loaded, known) => meter(begun + loaded, known === undefined ? undefined : (total ?? begun + known)),
    );
    if (appender.length < wholeOf(response)) throw brokenOff(url, appender.length, wholeOf(response));
  } finally {
    await guarded(() => appender.close());
  }
  const entry = { url, bytes: appender.length, integrity: undefined, time: Date.now(), file: part.file };
  await library.keep(entry);
  if (!(await library.find(url)))
    throw new SardonyxError('STORAGE', `${url} was removed while it was being downloaded`);
  return entry;
}

/** Requests the rest of a partial file if it is unchanged, otherwise the whole file. */
async function connect(url: string, library: Library, signal: AbortSignal): Promise<Transfer> {
  const known = await library.part(url);
  const length = known ? await library.begun(url) : 0;
  if (known && length > 0) {
    const headers = { range: `bytes=${length}-`, 'if-range': known.tag };
    const response = await request(url, signal, headers).catch(async (error) => {
      if (signal.aborted || error.cause === undefined) throw error;
      return undefined;
    });
    const isSame = response && (tagOf(response) ?? known.tag) === known.tag;
    if (isSame && response.status === 206 && startOf(response) === length) return { response, part: known };
    if (response?.status === 200) return { response, part: await library.begin(url, tagOf(response)) };
    response?.body?.cancel().catch(() => {});
  }
  const response = await request(url, signal);
  checkKind(url, response);
  return { response, part: await library.begin(url, tagOf(response)) };
}

/** Refuses a web page, such as a login or error page, in place of a model. */
function checkKind(url: string, { headers, body }: Response): void {
  const type = headers.get('content-type') ?? '';
  if (!type.startsWith('text/html')) return;
  body?.cancel().catch(() => {});
  throw new SardonyxError('INVALID_MODEL', `${url} is a web page, not a model (content type ${type})`);
}

const startOf = ({ headers }: Response) => Number(/^bytes (\d+)-/.exec(headers.get('content-range') ?? '')?.[1] ?? -1);

/** The size of the whole file. A server may send less than the requested range. */
const wholeOf = ({ headers }: Response) => Number(/\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1] ?? 0);

/** The ETag of a file, if it is strong and the transfer is not compressed. */
function tagOf({ headers }: Response): string | undefined {
  const tag = headers.get('etag');
  const encoding = headers.get('content-encoding');
  return tag?.startsWith('"') && (!encoding || encoding === 'identity') ? tag : undefined;
}
