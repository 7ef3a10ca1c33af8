/** The message with other fields; the same one if they are what it had, entry by entry. */
export function changed<M extends object>(message: M, fields: Partial<M>): M {
  const isSame = Object.entries(fields).every(([field, value]) => isEqual(message[field as keyof M], value));
  if (isSame) return message;
  const Message = message.constructor as new (properties: object) => M;
  return new Message({ ...message, ...fields });
}

function isEqual(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((entry, i) => entry === b[i]);
}
