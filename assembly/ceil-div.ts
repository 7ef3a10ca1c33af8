/** The least whole number of `per` that covers `count`. */
@inline
export function ceilDiv<T extends number>(count: T, per: T): T {
  return <T>((count + per - 1) / per);
}
