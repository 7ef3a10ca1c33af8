/**
 * A number that changes by equal steps along each of some axes while it stays on the others, by its coefficients: a + b·s, or
 * a + b·s + c·t + d·s·t, of the steps s and t behind the first place.
 */
export type Form = readonly number[];

/** What the coefficients of forms are multiplied by so many steps behind the first place. */
export function monomialsAt(steps: readonly number[]): number[] {
  const all = [1];
  for (const step of steps) for (let i = 0, { length } = all; i < length; i++) all.push((all[i] as number) * step);
  return all;
}

/** The places, from 1 on along each axis, whose numbers tell a form: the corners of the first step. */
export const cornersOf = (axes: number): number[][] =>
  Array.from({ length: 1 << axes }, (_, corner) =>
    Array.from({ length: axes }, (_, axis) => 1 + ((corner >> axis) & 1)),
  );

/** Steps behind the first place. */
export const behindFirst = (place: readonly number[]): number[] => place.map((step) => step - 1);

export function numberAt(form: Form, monomials: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < form.length; i++) sum += (form[i] as number) * (monomials[i] as number);
  return sum;
}

/** The coefficients of what has such values at the corners. */
export function coefficientsOf(corners: readonly number[]): Form {
  const form = [...corners];
  for (let bit = 1; bit < form.length; bit *= 2)
    for (let i = bit; i < form.length; i++) if (i & bit) form[i] = (form[i] as number) - (form[i ^ bit] as number);
  return form;
}

/** The form that has such values at the corners, and at a last place of these monomials, which proves it; undefined where none has. */
export function formThrough(values: readonly number[], last: readonly number[]): Form | undefined {
  const form = coefficientsOf(values.slice(0, -1));
  return numberAt(form, last) === values.at(-1) ? form : undefined;
}

/** Forms of some numbers each, all of one length, by place; undefined where one has none. */
export function formsThrough(lists: readonly ArrayLike<number>[], last: readonly number[]): Form[] | undefined {
  const forms: Form[] = [];
  const { length } = lists[0] as ArrayLike<number>;
  if (lists.some((list) => list.length !== length)) return undefined;
  for (let i = 0; i < length; i++) {
    const form = formThrough(
      lists.map((list) => list[i] as number),
      last,
    );
    if (!form) return undefined;
    forms.push(form);
  }
  return forms;
}

/** Whether a number stays what it is. */
export const isStill = (form: Form): boolean => form.every((coefficient, i) => i === 0 || coefficient === 0);
