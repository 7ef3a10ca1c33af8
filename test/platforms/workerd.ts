import { type ChildProcess, spawn } from 'node:child_process';
import { freePort } from './free-port.js';

export interface Workerd {
  readonly address: string;
  readonly process: ChildProcess;
}

/** Starts `workerd serve` with the config in a folder, whose socket is named `http`; settles when it takes requests. */
export async function startWorkerd(program: string, cwd: string, config: string): Promise<Workerd> {
  const place = `127.0.0.1:${await freePort()}`;
  const args = ['serve', config, '--socket-addr', `http=${place}`];
  const server = { address: `http://${place}`, process: spawn(program, args, { cwd, stdio: 'inherit' }) };
  while (server.process.exitCode === null) {
    const response = await fetch(server.address).catch(() => undefined);
    if (response) return server;
    await new Promise((next) => setTimeout(next, 20));
  }
  throw new Error(`workerd ended with code ${server.process.exitCode}`);
}
