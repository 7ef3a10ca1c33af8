// node serve-http.js MODEL [PORT [NORMALIZATION]]
// curl --data-binary @photo.jpg http://localhost:8000/classify
import { createServer } from 'node:http';
import { SardonyxError } from 'sardonyx';
import { imageTensor } from 'sardonyx/image';
import { createPool } from 'sardonyx/pool';
import { softmax, topK } from 'sardonyx/tensors';

const MAX_BYTES = 10_000_000;

const [model, port = '8000', normalize = 'imagenet'] = process.argv.slice(2);
if (!model) throw new Error('usage: node serve-http.js MODEL [PORT [NORMALIZATION]]');

const pool = await createPool(model); // One worker per core keeps the server responsive.
const options = { for: pool, normalize: /** @type {'imagenet'} */ (normalize) };

const server = createServer(async (request, response) => {
  const respond = (/** @type {number} */ status, /** @type {unknown} */ body) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const closed = new AbortController();
  response.on('close', () => closed.abort()); // The client has disconnected.
  if (request.method !== 'POST' || request.url !== '/classify')
    return respond(404, { error: 'POST an image to /classify' });
  try {
    const chunks = [];
    let length = 0;
    for await (const chunk of request) {
      length += chunk.length;
      if (length > MAX_BYTES) return respond(413, { error: `the limit is ${MAX_BYTES} bytes` });
      chunks.push(chunk);
    }
    const image = await imageTensor(Buffer.concat(chunks), options);
    const results = await pool.run({ [pool.inputNames[0]]: image }, { signal: closed.signal });
    return respond(200, topK(softmax(results[pool.outputNames[0]]), 5)[0]);
  } catch (error) {
    if (closed.signal.aborted) return;
    if (error instanceof SardonyxError && error.code === 'INVALID_VALUE') return respond(400, { error: error.message });
    console.error(error);
    return respond(500, { error: 'internal error' });
  }
});

server.listen(Number(port), () =>
  console.log(`http://localhost:${/** @type {{ port: number }} */ (server.address()).port}/classify`),
);
process.once('SIGTERM', () => server.close(() => pool.release()));
