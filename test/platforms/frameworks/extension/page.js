import { check, pooled } from './check.js';
import * as api from './node_modules/sardonyx/dist/index.js';
import * as pool from './node_modules/sardonyx/dist/pool.js';
import * as worker from './node_modules/sardonyx/dist/worker.js';

const read = async (name) => (await fetch(`public/${name}`)).json();

async function outcomes() {
  const model = 'public/model.onnx';
  const example = await read('model.json');
  return {
    main: await check(api, model, example, 2),
    rare: await check(api, 'public/rare.onnx', await read('rare.json'), 1),
    worker: await check(worker, model, example, 2),
    pool: await check(pooled(pool), model, example),
    serviceWorker: await chrome.runtime.sendMessage('run'),
  };
}

const show = (found) => {
  document.querySelector('output').textContent = JSON.stringify(found);
};
outcomes().then(show, ({ message }) => show({ message }));
