// node serve-http.js MODEL [PORT [NORMALIZATION]]
// curl --data-binary @photo.jpg http://localhost:8000/classify
import { createServer } from 'node:http';
import { SardonyxError } from 'sardonyx';
import { imageTensor } from 'sardonyx/image';
import { createPool } from 'sardonyx/pool';
import { softmax, topK } from 'sardonyx/tensors';

const MOST_BYTES = 10_000_000;

const [model, port = '8000', normalize = 'imagenet'] = process.argv.slice(2);
if (!model) throw new Error('usage: node serve-http.js MODEL [PORT [NORMALIZATION]]');

const pool = await createPool(model); // A worker per core: the server answers while they run.
const options = { for: pool, normalize: /** @type {'imagenet'} */ (normalize) };

const server = createServer(async (request, response) => {
  const answer = (/** @type {number} */ status, /** @type {unknown} */ body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const gone = new AbortController();
  response.on('close', () => gone.abort()); // Nobody waits any more.
  if (request.method !== 'POST' || request.url !== '/classify')
    return answer(404, { error: 'POST a picture to /classify' });
  try {
    const parts = [];
    let length = 0;
    for await (const part of request) {
      length += part.length;
      if (length > MOST_BYTES) return answer(413, { error: `a picture has at most ${MOST_BYTES} bytes` });
      parts.push(part);
    }
    const picture = await imageTensor(Buffer.concat(parts), options);
    const results = await pool.run({ [pool.inputNames[0]]: picture }, { signal: gone.signal });
    return answer(200, topK(softmax(results[pool.outputNames[0]]), 5)[0]);
  } catch (error) {
    if (gone.signal.aborted) return;
    if (error instanceof SardonyxError && error.code === 'INVALID_VALUE') return answer(400, { error: error.message });
    console.error(error);
    return answer(500, { error: 'something went wrong' });
  }
});

server.listen(Number(port), () =>
  console.log(`http://localhost:${/** @type {{ port: number }} */ (server.address()).port}/classify`),
);
process.once('SIGTERM', () => server.close(() => pool.release()));
