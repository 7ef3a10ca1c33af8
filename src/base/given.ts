/**
 * Whether an object from the caller has a value with this name. Names in models may equal those that all objects inherit, such as
 * `constructor`; these count only if they are own properties.
 */
export const isGiven = (of: object, name: string): boolean =>
  name in Object.prototype ? Object.hasOwn(of, name) : name in of;

/** The caller's value with that name. */
export const given = <T extends object, K extends keyof T & string>(of: T, name: K): T[K] | undefined =>
  name in Object.prototype && !Object.hasOwn(of, name) ? undefined : of[name];
