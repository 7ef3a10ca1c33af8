import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { addOutputs } from '../../optimize/extra-outputs.js';
import { openModel } from '../../session/open-model.js';
import { UsageError } from '../usage-error.js';
import { writeModelFile } from '../write-model-file.js';
import { runInChild } from './child.js';
import type { Peer, PeerOptions, Task } from './peer.js';

/** A package of onnxruntime, from the project in `folder`. */
export function onnxruntime(name: string, { session, folder, io }: PeerOptions): Peer {
  const entry = entryOf(name, folder);
  if (!entry) throw new UsageError(`${name} is not installed in this project; run npm install ${name}`);
  const threads = session.intraOpNumThreads ?? 1;
  return {
    name: `${name} ${versionBeside(entry, name)}`,
    run: (task) => withOutputs(task, (model) => runInChild(io, { ...task, model, name, entry, threads })),
  };
}

/** The file that `require(name)` loads in a folder. */
export function entryOf(name: string, folder: string): string | undefined {
  try {
    return createRequire(join(folder, 'package.json')).resolve(name);
  } catch {
    return undefined;
  }
}

/** The version in the nearest package.json above an entry point. */
export function versionBeside(entry: string, name: string): string {
  for (let folder = dirname(entry); folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (manifest.name === name) return manifest.version;
    } catch {}
  }
  return '';
}

/** Writes a copy of the model with the extra outputs. */
async function withOutputs<T>({ model, extraOutputs }: Task, use: (model: Task['model']) => Promise<T>): Promise<T> {
  if (extraOutputs.length === 0) return use(model);
  const opened = await openModel(model, {});
  addOutputs(opened.graph, extraOutputs);
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-compare-'));
  try {
    const path = join(folder, 'model.onnx');
    writeModelFile({ wrote() {} }, path, opened);
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
