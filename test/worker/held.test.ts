import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const test = suite('workers of Node');

/** A program with a worker that answers after a while; it holds the worker before it listens. */
const programOf = (held: string) => `
  import { startWorker } from '${new URL('../../workers/platform-worker.ts', import.meta.url).href}';
  const worker = startWorker(undefined, () => new URL('data:text/javascript,' + encodeURIComponent(
    "import { parentPort } from 'node:worker_threads'; setTimeout(() => parentPort.postMessage('heard'), 300);")));
  ${held}
  worker.endpoint.addEventListener('message', ({ data }) => {
    console.log(data);
    worker.letGo();
  });
`;

const outputOf = (held: string) =>
  spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', programOf(held)], { encoding: 'utf8' });

test('keep the process going while they are held, whatever listens meanwhile', () => {
  assert.is(outputOf('worker.hold();').stdout, 'heard\n');
});

test('let it end otherwise', () => {
  const { stdout, status } = outputOf('');
  assert.equal([stdout, status], ['', 0]);
});

test.run();
