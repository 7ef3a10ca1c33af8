import { signal } from '@preact/signals';
import type { FoundFile } from './found-files.js';

/** Handles files before they are opened as models, for the panel in view; returns true if it takes them. */
type Taker = (files: readonly FoundFile[]) => boolean | Promise<boolean>;
const takers: Taker[] = [];

/** Lets a panel take dropped files while it is in view; call the returned function when it closes. */
export function takeFiles(taker: Taker): () => void {
  takers.push(taker);
  return () => void takers.splice(takers.indexOf(taker), 1);
}

/** Offers files to the takers, the latest first. */
export async function areTaken(files: readonly FoundFile[]): Promise<boolean> {
  for (const taker of [...takers].reverse()) if (await taker(files)) return true;
  return false;
}

const over = signal(false);

/** Whether files are dragged over the page. */
export const isDropTarget: { readonly value: boolean } = over;

export function setDropTarget(isOver: boolean): void {
  over.value = isOver;
}
