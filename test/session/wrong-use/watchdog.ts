import { Worker } from 'node:worker_threads';

/** Milliseconds, on however busy a machine. */
const LIMIT = 60_000;
const NAME_BYTES = 1024;

const WATCH = `
const { workerData: { clock, name } } = require('node:worker_threads');
let seen = -1, since = Date.now();
setInterval(() => {
  const now = Atomics.load(clock, 0);
  if (now !== seen) { seen = now; since = Date.now(); return; }
  if (now === 0 || Date.now() - since < ${LIMIT}) return;
  const text = Buffer.from(name).toString().replaceAll('\\0', '');
  require('node:fs').writeSync(2, 'hangs: ' + text + '\\n');
  process.kill(process.pid, 'SIGKILL');
}, 500);
`;

/** Ends this process where one case hangs, and names the case. */
export class Watchdog {
  readonly #clock = new Int32Array(new SharedArrayBuffer(4));
  readonly #name = new Uint8Array(new SharedArrayBuffer(NAME_BYTES));
  readonly #worker = new Worker(WATCH, { eval: true, workerData: { clock: this.#clock, name: this.#name } });
  #count = 0;

  constructor() {
    this.#worker.unref();
  }

  /** The case that runs from now on. */
  now(name: string): void {
    this.#name.fill(0).set(new TextEncoder().encode(name).subarray(0, NAME_BYTES));
    Atomics.store(this.#clock, 0, ++this.#count);
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }
}
