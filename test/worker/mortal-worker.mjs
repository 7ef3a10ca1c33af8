// A session worker that dies when it is asked for what DIES_OF names.
import '../../dist/session-worker.js';
import { parentPort } from 'node:worker_threads';

const { DIES_OF } = process.env;
parentPort.on('message', ({ path }) => {
  if (path?.[0] === DIES_OF) process.exit(3);
});
