import { spawn } from 'node:child_process';
import { once } from 'node:events';

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\//;

/** Serves what `npm run build` made in an example's folder, as its README says. */
export async function vitePreview(cwd: string): Promise<{ readonly address: string; stop(): Promise<void> }> {
  const args = ['node_modules/vite/bin/vite.js', 'preview', '--host', '127.0.0.1', '--port', '0'];
  const server = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], env: withoutColour() });
  const stop = async () => {
    if (server.exitCode !== null || !server.kill()) return;
    await once(server, 'exit');
  };
  let said = '';
  for await (const part of server.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    said += part;
    const address = ADDRESS.exec(said)?.[0];
    if (address) return { address, stop };
  }
  throw new Error(`vite preview ended before it served anything: ${said}`);
}

const withoutColour = () => ({ ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined });
