/**
 * Whether an object that people give has a value by a name; names of models may be those of what every object has, as `constructor`, which
 * nobody has given then.
 */
export const isGiven = (of: object, name: string): boolean =>
  name in Object.prototype ? Object.hasOwn(of, name) : name in of;

/** The caller's value by that name. */
export const given = <T extends object, K extends keyof T & string>(of: T, name: K): T[K] | undefined =>
  name in Object.prototype && !Object.hasOwn(of, name) ? undefined : of[name];
