import { announced, type Notice, notices, type Task, tasks } from './state.js';
import { isAbort, unlessAborted } from './unless-aborted.js';

let lastId = 0;

/** Shows a note that stays until it is dismissed. */
export function note(text: string, detail?: string): void {
  tell({ id: ++lastId, kind: 'note', text, detail });
}

/** Shows an error: what failed, and below it the error's message. */
export function report(text: string, error: unknown): void {
  const detail = error instanceof Error ? error.message : `${error}`;
  tell({ id: ++lastId, kind: 'error', text, detail });
}

/** A notice that is already shown moves to the end instead of appearing twice. */
function tell(notice: Notice): void {
  const { kind, text, detail } = notice;
  const isOther = (each: Notice) => each.kind !== kind || each.text !== text || each.detail !== detail;
  notices.value = [...notices.value.filter(isOther), notice];
}

/** Announces visible changes to screen readers; '' announces nothing. */
export function announce(text: string): void {
  if (text !== '') announced.value = { id: ++lastId, text };
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id);
}

export interface TaskControl {
  readonly signal: AbortSignal;
  progress(done: number): void;
}

/** Number of parts of a task; screen readers get an announcement after each. */
const PARTS = 4;

/**
 * Runs a long task under a title, with progress and a way to cancel; errors other than aborts are reported. `says` gives the announcement
 * of the result. Cancelling ends the task at once, even if the work ignores the signal.
 */
export async function task<T>(
  title: string,
  work: (control: TaskControl) => Promise<T>,
  says: (found: T) => string = () => `${title}: done`,
): Promise<T | undefined> {
  const id = ++lastId;
  const abort = new AbortController();
  const show = (change: Partial<Task>) => {
    tasks.value = tasks.value.map((each) => (each.id === id ? { ...each, ...change } : each));
  };
  let told = 0;
  const progress = (done: number) => {
    show({ done });
    const part = Math.floor(done * PARTS);
    if (part > told && part < PARTS) announce(`${title}: ${(100 * part) / PARTS} %`);
    told = Math.max(told, part);
  };
  tasks.value = [...tasks.value, { id, title, cancel: () => abort.abort() }];
  try {
    const found = await unlessAborted(work({ signal: abort.signal, progress }), abort.signal);
    announce(says(found));
    return found;
  } catch (error) {
    if (abort.signal.aborted || isAbort(error)) announce(`${title}: cancelled`);
    else report(`${title} failed`, error);
    return undefined;
  } finally {
    tasks.value = tasks.value.filter((each) => each.id !== id);
  }
}
