// Starts `hours.ts` so that memory is given back as soon as it is garbage: what is left to grow is what is held.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const place = (file: string) => fileURLToPath(new URL(file, import.meta.url));

const FLAGS = [
  ...['--expose-gc', '--max-semi-space-size=1', '--heap-growing-percent=20'],
  ...['--import', 'tsx', '--import', place('collect-in-workers.mjs')],
];

/** glibc keeps freed memory in an arena for each thread; threads come and go by the thousand. */
const MALLOC = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '65536', MALLOC_TRIM_THRESHOLD_: '65536' };

const child = spawn(process.execPath, [...FLAGS, place('hours.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...process.env, ...MALLOC },
});
child.once('exit', (code) => {
  process.exitCode = code ?? 1;
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
