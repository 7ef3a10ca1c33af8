/** Data in linear memory whose address is not fixed yet. */
export interface Place {
  readonly kind: string;
}

/** The value of a pointer field: an address (0: none), or a place that is resolved when the program is written. */
export type Pointer = number | Place;
