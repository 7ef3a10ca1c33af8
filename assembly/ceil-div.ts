/** The smallest number of groups of `per` that cover `count`. */
@inline
export function ceilDiv<T extends number>(count: T, per: T): T {
  return <T>((count + per - 1) / per);
}
