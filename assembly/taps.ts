// Taps of a window that fall inside 0…length along one axis. Tap k of `taps` lies at start + k·dilation.

/** The first tap at or after 0. */
@inline
export function firstTap(start: i32, dilation: i32): i32 {
  return start < 0 ? (dilation - 1 - start) / dilation : 0;
}

/** The end of the taps below `length`; may be less than firstTap if none is inside. */
@inline
export function endTap(start: i32, dilation: i32, length: i32, taps: i32): i32 {
  if (start + (taps - 1) * dilation < length) return taps;
  return start < length ? (length - 1 - start) / dilation + 1 : 0;
}
