import * as api from '/node_modules/sardonyx/dist/index.js';
import { check } from './check.js';
import { fetchExample } from './example.js';

addEventListener('message', (event) => {
  const [port] = event.ports;
  const done = fetchExample()
    .then((example) => check(api, '/model.onnx', example, 0))
    .catch(({ message }) => ({ message }));
  event.waitUntil(done.then((outcome) => port.postMessage(outcome)));
});
