/** The text that nodes show below their operator. */
export interface Shown {
  readonly names: boolean;
  readonly attributes: boolean;
  readonly weights: boolean;
}
