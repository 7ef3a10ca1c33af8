import * as api from 'sardonyx';
import * as pool from 'sardonyx/pool';
import * as worker from 'sardonyx/worker';
import { check, pooled } from './check.js';

/** On each model and in each way; `read` gives an example, and models lie where `place` says. */
export async function outcomes(read, place, threads) {
  const model = place('model.onnx');
  const example = await read('model.json');
  return {
    main: await check(api, model, example, threads),
    rare: await check(api, place('rare.onnx'), await read('rare.json'), 1),
    worker: await check(worker, model, example, threads),
    pool: await check(pooled(pool), model, example),
  };
}
