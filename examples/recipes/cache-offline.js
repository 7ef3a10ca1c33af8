// node cache-offline.js URL [SHA256]
import { list } from 'sardonyx/cache';
import { cachedSession } from './cached-session.js';

const [url, hash] = process.argv.slice(2);
if (!url) throw new Error('usage: node cache-offline.js URL [SHA256]');

const session = await cachedSession(url, hash ? { integrity: `sha256-${hash}` } : {});
console.log(`inputs: ${session.inputNames}, outputs: ${session.outputNames}`);
await session.release();
for (const { url, bytes } of await list()) console.log(`cached: ${url}, ${bytes} bytes`);
