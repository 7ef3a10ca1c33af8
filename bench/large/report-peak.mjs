// Imported before a program: says, when it ends, how many MiB it has had at most.
import { readFileSync } from 'node:fs';

process.on('exit', () => {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
  console.error(`peak ${Number(kilobytes) / 1024}`);
});
