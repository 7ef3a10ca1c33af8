/** A copy of a message with other values in some fields; undefined removes a field. Unknown fields stay. */
export function withFields<T extends object>(message: T, fields: { readonly [K in keyof T]?: T[K] | undefined }): T {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(message)), message, fields);
  for (const [name, value] of Object.entries(fields)) if (value === undefined) delete copy[name];
  const unknowns = Object.getOwnPropertyDescriptor(message, '$unknowns');
  return unknowns ? Object.defineProperty(copy, '$unknowns', unknowns) : copy;
}

/** Applies `change` to the items; returns the same list if nothing changes. */
export function changedList<T>(list: readonly T[], change: (item: T) => T): T[] {
  const changed = list.map(change);
  return changed.some((item, i) => item !== list[i]) ? changed : (list as T[]);
}

/** A copy of the message with fields that differ; the same object if none does. */
export function withChanges<T extends object>(message: T, fields: Partial<T>): T {
  const changed = Object.entries(fields).filter(([name, value]) => value !== message[name as keyof T]);
  return changed.length > 0 ? withFields(message, Object.fromEntries(changed) as Partial<T>) : message;
}
