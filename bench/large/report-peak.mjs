// Import before a program to print its peak memory in MiB when it ends.
import { readFileSync } from 'node:fs';

process.on('exit', () => {
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'latin1')) ?? [];
  console.error(`peak ${Number(kilobytes) / 1024}`);
});
