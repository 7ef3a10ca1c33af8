/** A message with other fields; what it does not have itself stays absent. */
export const changed = <T extends object>(message: T, fields: Partial<T>): T =>
  Object.assign(Object.create(Object.getPrototypeOf(message)), message, fields);
