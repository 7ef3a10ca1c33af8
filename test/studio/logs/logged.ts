import { readFileSync } from 'node:fs';
import type { Entry, Kind, Of } from '../../../studio/src/workers/contracts/log-entries.js';
import { type Format, formatOf } from '../../../studio/src/workers/logs/formats.js';
import { logFile, readNew } from '../../../studio/src/workers/logs/log-file.js';

const place = (name: string) => new URL(`written/${name}`, import.meta.url);

/** A file that write.py left. */
export const file = (name: string): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(place(name)));

/** What was logged, as write.py says. */
export const expected = JSON.parse(readFileSync(place('expected.json'), 'utf8'));

export const FILES = ['torch.tfevents', 'torch-tuned.tfevents', 'tensors.tfevents', 'vdlrecords.1700000000.log'];

/** All that a file says. */
export async function entriesIn(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const found = logFile(name, formatOf(name) as Format);
  await readNew(found, new Blob([bytes]), (entry) => entries.push(entry));
  return entries;
}

export const ofKind = <K extends Kind>(entries: readonly Entry[], kind: K, tag?: string): Of<K>[] =>
  entries.filter((entry): entry is Of<K> => entry.kind === kind && (tag === undefined || (entry as Of<K>).tag === tag));
