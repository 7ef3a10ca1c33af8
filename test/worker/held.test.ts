import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ANSWERS_LATE =
  "require('worker_threads').parentPort.once('message', () => setTimeout(() => process.exit(), 300))";

/** What a program ends with that asks a worker and awaits its end; Node says 13 where it ended before what it awaited. */
function codeOf(hold: string): number | null {
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(`import { createRequire } from 'module'; const require = createRequire('/'); ${ANSWERS_LATE}`)}`,
  );
  const program = `
    const { startWorker } = await import('./workers/platform-worker.ts');
    const worker = startWorker(new URL(${JSON.stringify(script.href)}), () => {}, () => {});
    ${hold}
    worker.endpoint.addEventListener('message', () => {});
    worker.endpoint.postMessage('begin');
    await worker.ended;`;
  return spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program], { cwd: ROOT }).status;
}

test('a worker that is held keeps the process going, though someone listens to it later', () => {
  assert.is(codeOf('worker.hold();'), 0);
});

test('a worker that is let go does not', () => {
  assert.is(codeOf('worker.hold(); worker.letGo();'), 13);
});

test.run();
