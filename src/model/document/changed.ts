/** A message with other values in some fields; a field that becomes undefined is left out. Unknown fields stay. */
export function withFields<T extends object>(message: T, fields: { readonly [K in keyof T]?: T[K] | undefined }): T {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(message)), message, fields);
  for (const [name, value] of Object.entries(fields)) if (value === undefined) delete copy[name];
  const unknowns = Object.getOwnPropertyDescriptor(message, '$unknowns');
  return unknowns ? Object.defineProperty(copy, '$unknowns', unknowns) : copy;
}

/** The items after `change`; the same list if nothing changes. */
export function changedList<T>(list: readonly T[], change: (item: T) => T): T[] {
  const changed = list.map(change);
  return changed.some((item, i) => item !== list[i]) ? changed : (list as T[]);
}

/** The message with the fields that differ from what they are; the very same message if none does. */
export function withChanges<T extends object>(message: T, fields: Partial<T>): T {
  const changed = Object.entries(fields).filter(([name, value]) => value !== message[name as keyof T]);
  return changed.length > 0 ? withFields(message, Object.fromEntries(changed) as Partial<T>) : message;
}
