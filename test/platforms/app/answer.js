import { check } from './check.js';
import { fetchExample } from './example.js';

/** Runs the models that pages ask for. */
export function answer(api) {
  addEventListener('message', (event) => {
    const [port] = event.ports;
    const done = fetchExample(event.data)
      .then((example) => check(api, `/${event.data}.onnx`, example, 0))
      .catch(({ message }) => ({ message }));
    event.waitUntil(done.then((outcome) => port.postMessage(outcome)));
  });
}
