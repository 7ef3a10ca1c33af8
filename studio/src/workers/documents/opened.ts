import type { Model } from 'sardonyx/model';
import type { ModelFiles } from '../contracts/documents.js';
import type { Loaded } from './formats/loaded.js';

/** An open document with its undo and redo history; each edit makes a new model that shares unchanged parts. */
export interface Open extends Pick<Loaded, 'format' | 'isViewOnly'> {
  readonly files: ModelFiles;
  readonly model: Model;
  readonly past: readonly Model[];
  readonly future: readonly Model[];
}

const opened = new Map<number, Open>();
let lastId = 0;

export function keep(files: ModelFiles, model: Model, format: Pick<Loaded, 'format' | 'isViewOnly'>): number {
  opened.set(++lastId, { files, model, past: [], future: [], ...format });
  return lastId;
}

export function find(id: number): Open {
  const found = opened.get(id);
  if (!found) throw new Error(`the model ${id} is closed`);
  return found;
}

/** Replaces a document's model; the former one is kept for undo. */
export function change(id: number, model: Model): void {
  const { model: before, past } = find(id);
  if (model !== before) replace(id, { model, past: [...past, before], future: [] });
}

/** Undoes or redoes one step; does nothing if there is none. */
export function step(id: number, direction: 'back' | 'forward'): void {
  const { model, past, future } = find(id);
  const [previous, next] = [past.at(-1), future[0]];
  if (direction === 'back' && previous)
    replace(id, { model: previous, past: past.slice(0, -1), future: [model, ...future] });
  if (direction === 'forward' && next) replace(id, { model: next, past: [...past, model], future: future.slice(1) });
}

const replace = (id: number, change: Partial<Open>): void => void opened.set(id, { ...find(id), ...change });

export const forget = (id: number): void => void opened.delete(id);
