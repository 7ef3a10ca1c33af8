import { computed, signal } from '@preact/signals';
import { note, report } from '../../store/notices.js';
import type { ModelFiles } from '../../workers/contracts/documents.js';
import { openHandles } from '../opening/open.js';
import { areReadable, keepHash, type Recent, readRecent, recent } from '../opening/recent.js';
import { hashOf } from './hash-of.js';
import type { LinkedFile, View } from './view.js';

/** The view of a link whose file is not open yet. */
const awaited = signal<View | null>(null);

export const awaitedFile = computed<LinkedFile | null>(() => awaited.value?.file ?? null);

/** The recent file with the hash in the link. */
export const known = computed<Recent | undefined>(() =>
  recent.value.find(({ hash }) => hash !== undefined && hash === awaitedFile.value?.hash),
);

/** Waits for the file of a link; opens it at once if the browser lets the page read it. */
export async function awaitFile(view: View): Promise<void> {
  awaited.value = view;
  await readRecent();
  const handles = known.value?.handles;
  if (handles && (await areReadable(handles))) await openHandles(handles);
}

/** The view in the link for an opened model, if it is the one that the link waits for. */
export async function linkedView({ name, model }: ModelFiles): Promise<View | undefined> {
  const view = awaited.value;
  if (!view?.file) return undefined;
  const hash = await hashOf(model).catch((error) => report('Cannot compute the hash of the file', error));
  if (!hash || awaited.value !== view) return undefined;
  if (hash !== view.file.hash) {
    note(
      `${name} is not the file of the link`,
      `The link shows ${view.file.name} with the SHA-256 ${view.file.hash}. This file has ${hash}.`,
    );
    return undefined;
  }
  awaited.value = null;
  await keepHash(model, hash);
  return view;
}
