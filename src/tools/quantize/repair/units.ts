/** Values of the option `by` of `sensitivity`. */
export const UNITS = ['node', 'type'] as const;

/** The repairs in the order of application. */
export const REPAIRS = ['equalize', 'smooth', 'adaround', 'bias'] as const;
/** A repair of static quantization. */
export type Repair = (typeof REPAIRS)[number];
