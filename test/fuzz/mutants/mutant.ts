import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Fault } from './faults.js';

export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

const LEFT_OUT = new Set(['node_modules', '.git']);

/** The file with the fault in it. @throws where the text to be replaced does not stand there exactly once */
export function faulty({ name, file, right, written }: Fault): string {
  const parts = readFileSync(join(CHECKOUT, file), 'utf8').split(right);
  if (parts.length !== 2) throw new Error(`"${name}": ${file} has ${parts.length - 1} times what it replaces`);
  return parts.join(written);
}

/** Tests of platforms install gigabytes beside themselves. */
const isOwn = (path: string) => !path.includes('node_modules');

/** A copy of the checkout with that fault, its kernels built, in a folder that `remove` takes away. */
export async function mutantOf(fault: Fault): Promise<{ folder: string; remove(): void }> {
  const text = faulty(fault);
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-mutant-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    for (const name of readdirSync(CHECKOUT).filter((each) => !LEFT_OUT.has(each)))
      cpSync(join(CHECKOUT, name), join(folder, name), { recursive: true, filter: isOwn });
    symlinkSync(join(CHECKOUT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, fault.file), text);
    const targets = ['simd', 'quantized-simd'].flatMap((target) => ['--target', target]);
    if (fault.file.startsWith('assembly/'))
      await promisify(execFile)('node', ['tools/build-wasm.mjs', '--fast', ...targets], { cwd: folder });
    return { folder, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
