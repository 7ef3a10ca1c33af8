import { type Notice, notices, type Task, tasks } from './workspace.js';

let lastId = 0;

/** Tells people something that stays until they dismiss it. */
export function note(text: string, detail?: string): void {
  tell({ id: ++lastId, kind: 'note', text, detail });
}

/** Shows an error: what went wrong, and below it what it says. */
export function report(text: string, error: unknown): void {
  const detail = error instanceof Error ? error.message : `${error}`;
  tell({ id: ++lastId, kind: 'error', text, detail });
}

/** What is there already is said anew, not twice. */
function tell(notice: Notice): void {
  const { kind, text, detail } = notice;
  const isOther = (each: Notice) => each.kind !== kind || each.text !== text || each.detail !== detail;
  notices.value = [...notices.value.filter(isOther), notice];
}

export function dismiss(id: number): void {
  notices.value = notices.value.filter((each) => each.id !== id);
}

export interface TaskControl {
  readonly signal: AbortSignal;
  progress(done: number): void;
}

/** Runs work that takes long under a title, with progress and a way to cancel; errors but an abort are reported. */
export async function task<T>(title: string, work: (control: TaskControl) => Promise<T>): Promise<T | undefined> {
  const id = ++lastId;
  const abort = new AbortController();
  const show = (change: Partial<Task>) => {
    tasks.value = tasks.value.map((each) => (each.id === id ? { ...each, ...change } : each));
  };
  tasks.value = [...tasks.value, { id, title, cancel: () => abort.abort() }];
  try {
    return await work({ signal: abort.signal, progress: (done) => show({ done }) });
  } catch (error) {
    if (!abort.signal.aborted) report(`${title} failed`, error);
    return undefined;
  } finally {
    tasks.value = tasks.value.filter((each) => each.id !== id);
  }
}
