// node serve-hono.js MODEL [PORT [NORMALIZATION]]
// curl --data-binary @photo.jpg http://localhost:8000/classify
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { HTTPException } from 'hono/http-exception';
import { SardonyxError } from 'sardonyx';
import { imageTensor } from 'sardonyx/image';
import { createPool } from 'sardonyx/pool';
import { softmax, topK } from 'sardonyx/tensors';

const [model, port = '8000', normalize = 'imagenet'] = process.argv.slice(2);
if (!model) throw new Error('usage: node serve-hono.js MODEL [PORT [NORMALIZATION]]');

const pool = await createPool(model); // One worker per core keeps the server responsive.
const options = { for: pool, normalize: /** @type {'imagenet'} */ (normalize) };

const app = new Hono();

app.post('/classify', bodyLimit({ maxSize: 10_000_000 }), async (context) => {
  const image = await imageTensor(await context.req.arrayBuffer(), options);
  const { signal } = context.req.raw; // Aborted when the client disconnects.
  const results = await pool.run({ [pool.inputNames[0]]: image }, { signal });
  return context.json(topK(softmax(results[pool.outputNames[0]]), 5)[0]);
});

app.onError((error, context) => {
  if (error instanceof HTTPException) return error.getResponse(); // The body is too large.
  if (error instanceof SardonyxError && error.code === 'INVALID_VALUE')
    return context.json({ error: error.message }, 400);
  if (!context.req.raw.signal.aborted) console.error(error);
  return context.json({ error: 'internal error' }, 500);
});

const server = serve({ fetch: app.fetch, port: Number(port) }, ({ port }) =>
  console.log(`http://localhost:${port}/classify`),
);
process.once('SIGTERM', () => server.close(() => pool.release()));
