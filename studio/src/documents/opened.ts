import type { Model } from 'sardonyx/model';
import type { ModelFiles } from './service.js';

/** A document that is open, and those that it was and may be again: what an edit makes is another, which shares what stayed. */
export interface Open {
  readonly files: ModelFiles;
  readonly model: Model;
  readonly past: readonly Model[];
  readonly future: readonly Model[];
}

const opened = new Map<number, Open>();
let lastId = 0;

export function keep(files: ModelFiles, model: Model): number {
  opened.set(++lastId, { files, model, past: [], future: [] });
  return lastId;
}

export function find(id: number): Open {
  const found = opened.get(id);
  if (!found) throw new Error(`the model ${id} is closed`);
  return found;
}

export const replace = (id: number, change: Partial<Open>): void => void opened.set(id, { ...find(id), ...change });

export const forget = (id: number): void => void opened.delete(id);
