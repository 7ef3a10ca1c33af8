/** The only values to quantize. */
export const UNITS = ['node', 'type'] as const;

/** In the order in which they are done. */
export const REPAIRS = ['equalize', 'smooth', 'adaround', 'bias'] as const;
/** A repair of static quantization. */
export type Repair = (typeof REPAIRS)[number];
