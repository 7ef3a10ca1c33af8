import { threads } from './example.js';

const worker = new Worker(`./worker.js?threads=${threads}`, { type: 'module' });
globalThis.outcome = new Promise((resolve) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => resolve({ message });
});
