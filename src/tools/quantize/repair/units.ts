/** What is quantised alone. */
export const UNITS = ['node', 'type'] as const;

/** In the order in which they are done. */
export const REPAIRS = ['equalize', 'smooth', 'adaround', 'bias'] as const;
export type Repair = (typeof REPAIRS)[number];
