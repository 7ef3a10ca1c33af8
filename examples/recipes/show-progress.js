// node show-progress.js URL
import { InferenceSession } from 'sardonyx';

const [url] = process.argv.slice(2);
if (!url) throw new Error('usage: node show-progress.js URL');

/** Called as bytes of the model and its external files arrive. @type {(progress: import('sardonyx').LoadProgress) => void} */
function onProgress({ all: { loaded, total } }) {
  const megabytes = (loaded / 1e6).toFixed(1);
  // The total is unknown if the server does not send it.
  const text = total ? `${bar(loaded / total)} ${Math.floor((100 * loaded) / total)} %` : `${megabytes} MB`;
  process.stderr.write(process.stderr.isTTY ? `\r${text}` : `${text}\n`);
}

const bar = (/** @type {number} */ fraction) => '█'.repeat(Math.round(20 * fraction)).padEnd(20, '░');

const session = await InferenceSession.create(url, { onProgress });
console.log(`\nready: ${session.inputNames} to ${session.outputNames}`);
await session.release();
