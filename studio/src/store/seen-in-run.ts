import { ran, type SeenType } from './state.js';

interface Seen {
  readonly name: string;
  readonly tensor: SeenType | null;
}

const key = (seen: ReadonlyMap<string, SeenType>): string =>
  [...seen].map(([name, { type, dims }]) => `${name} ${type} ${dims}`).join();

/** Records the values of a run; an empty list means that there is no run any more. */
export function seenInRun(values: readonly Seen[]): void {
  const seen = new Map(values.flatMap(({ name, tensor }) => (tensor ? [[name, tensor] as const] : [])));
  if (key(seen) !== key(ran.peek())) ran.value = seen;
}
