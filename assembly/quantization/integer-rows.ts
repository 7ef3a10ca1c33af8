// The left operand is staged in scratch, row after row, as the micro-kernel reads it: bytes for relaxed dot products, 16-bit integers for
// pairs. That costs one load and one store, compared with a dot product for each column, and lets all kinds of convolutions share one loop.

/** How values of the left operand are staged. */
@unmanaged
export class Staging {
  quads: i32 = 0;
  signed: i32 = 0;
  /** 128 if the dot product requires the other signedness, else 0. */
  flip: i32 = 0;
}

/** Bytes of a value in scratch. */
@inline
export function stagedSize(s: Staging): i32 {
  return s.quads ? 1 : 2;
}

/** Stages `count` values from `from` on; returns their end. */
export function stageRun(s: Staging, to: usize, from: usize, count: i32): usize {
  return s.quads ? stageBytes(to, from, count, s.flip) : s.signed ? stageSigned(to, from, count) : stageUnsigned(to, from, count);
}

/** Stages a run of up to 16 values in one step, if 16 may be read; writes past the end of the run. */
@inline
export function stageShortRun(s: Staging, to: usize, from: usize, count: i32): usize {
  const bytes = v128.load(from);
  if (s.quads) {
    v128.store(to, v128.xor(bytes, i8x16.splat(<i8>s.flip)));
    return to + <usize>count;
  }
  v128.store(to, s.signed ? i16x8.extend_low_i8x16_s(bytes) : i16x8.extend_low_i8x16_u(bytes));
  v128.store(to, s.signed ? i16x8.extend_high_i8x16_s(bytes) : i16x8.extend_high_i8x16_u(bytes), 16);
  return to + (<usize>count << 1);
}

function stageBytes(to: usize, from: usize, count: i32, flip: i32): usize {
  const end = from + <usize>count;
  const by = i8x16.splat(<i8>flip);
  for (; from + 16 <= end; from += 16, to += 16) v128.store(to, v128.xor(v128.load(from), by));
  if (from + 8 <= end) {
    store<i64>(to, load<i64>(from) ^ i64x2.extract_lane(by, 0));
    from += 8;
    to += 8;
  }
  if (from + 4 <= end) {
    store<i32>(to, load<i32>(from) ^ i32x4.extract_lane(by, 0));
    from += 4;
    to += 4;
  }
  for (; from < end; from++, to++) store<u8>(to, <u8>(<i32>load<u8>(from) ^ flip));
  return to;
}

function stageSigned(to: usize, from: usize, count: i32): usize {
  const end = from + <usize>count;
  for (; from + 8 <= end; from += 8, to += 16) v128.store(to, v128.load_ext<i8>(from));
  for (; from < end; from++, to += 2) store<i16>(to, <i16>load<i8>(from));
  return to;
}

function stageUnsigned(to: usize, from: usize, count: i32): usize {
  const end = from + <usize>count;
  for (; from + 8 <= end; from += 8, to += 16) v128.store(to, v128.load_ext<u8>(from));
  for (; from < end; from++, to += 2) store<i16>(to, <i16>load<u8>(from));
  return to;
}

/** Stages `count` copies of a value of the operand's type. */
export function stageValue(s: Staging, to: usize, value: i32, count: i32): usize {
  if (s.quads) {
    const end = to + <usize>count;
    const bytes = i8x16.splat(<i8>(value ^ s.flip));
    for (; to + 16 <= end; to += 16) v128.store(to, bytes);
    for (; to < end; to++) store<u8>(to, <u8>(value ^ s.flip));
    return to;
  }
  for (const end = to + (<usize>count << 1); to < end; to += 2) store<i16>(to, <i16>value);
  return to;
}

/** The sum of a staged row. Its padding is zero, so whole words can be summed. */
export function sumOfRow(s: Staging, from: usize, bytes: usize, unsigned: bool): i32 {
  const end = from + bytes;
  let sum = 0;
  if (!s.quads) for (; from < end; from += 2) sum += <i32>load<i16>(from);
  else if (unsigned) for (; from < end; from++) sum += <i32>load<u8>(from);
  else for (; from < end; from++) sum += <i32>load<i8>(from);
  return sum;
}
