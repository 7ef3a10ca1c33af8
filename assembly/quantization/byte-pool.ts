import { endTap, firstTap } from '../taps';

/**
 * Max pooling of bytes over x [batch][height][width][channels]; the lowest value of the type if a window has no tap inside. Fields are
 * those of `depthwiseConvolution`. A tile is `tilePixels` output pixels: tiles = ceil(batch·outHeight·outWidth / tilePixels).
 */
@unmanaged
export class ByteMaxPoolParams {
  x: usize = 0;
  y: usize = 0;
  signed: i32 = 0;
  batch: i32 = 0;
  channels: i32 = 0;
  height: i32 = 0;
  width: i32 = 0;
  outHeight: i32 = 0;
  outWidth: i32 = 0;
  kernelHeight: i32 = 0;
  kernelWidth: i32 = 0;
  strideHeight: i32 = 0;
  strideWidth: i32 = 0;
  dilationHeight: i32 = 0;
  dilationWidth: i32 = 0;
  padTop: i32 = 0;
  padLeft: i32 = 0;
  tilePixels: i32 = 0;
}

export function byteMaxPool(p: ByteMaxPoolParams, begin: i32, end: i32): void {
  const channels = <usize>p.channels;
  const last = min(end * p.tilePixels, p.batch * p.outHeight * p.outWidth);
  for (let pixel = begin * p.tilePixels; pixel < last; pixel++) {
    const ox = pixel % p.outWidth, line = pixel / p.outWidth;
    const top = (line % p.outHeight) * p.strideHeight - p.padTop, left = ox * p.strideWidth - p.padLeft;
    const firstY = firstTap(top, p.dilationHeight), endY = endTap(top, p.dilationHeight, p.height, p.kernelHeight);
    const firstX = firstTap(left, p.dilationWidth), endX = endTap(left, p.dilationWidth, p.width, p.kernelWidth);
    const image = p.x + <usize>(line / p.outHeight) * <usize>(p.height * p.width) * channels;
    const from = image + <usize>((top + firstY * p.dilationHeight) * p.width + left + firstX * p.dilationWidth) * channels;
    const y = p.y + <usize>pixel * channels;
    let c: usize = 0;
    for (; c + 16 <= channels; c += 16) {
      if (p.signed) v128.store(y + c, largest(true, p, from + c, endY - firstY, endX - firstX));
      else v128.store(y + c, largest(false, p, from + c, endY - firstY, endX - firstX));
    }
    for (; c < channels; c++) store<u8>(y + c, <u8>largestOf(p, from + c, endY - firstY, endX - firstX));
  }
}

@inline
function largest(SIGNED: bool, p: ByteMaxPoolParams, line: usize, rows: i32, columns: i32): v128 {
  const across = <usize>(p.dilationWidth * p.channels), down = <usize>(p.dilationHeight * p.width * p.channels);
  let y = i8x16.splat(SIGNED ? -128 : 0);
  for (; rows > 0; rows--, line += down) {
    let x = line;
    for (let k = columns; k > 0; k--, x += across) y = SIGNED ? i8x16.max_s(y, v128.load(x)) : i8x16.max_u(y, v128.load(x));
  }
  return y;
}

function largestOf(p: ByteMaxPoolParams, line: usize, rows: i32, columns: i32): i32 {
  const across = <usize>(p.dilationWidth * p.channels), down = <usize>(p.dilationHeight * p.width * p.channels);
  let y = p.signed ? -128 : 0;
  for (; rows > 0; rows--, line += down) {
    let x = line;
    for (let k = columns; k > 0; k--, x += across) y = max(y, p.signed ? <i32>load<i8>(x) : <i32>load<u8>(x));
  }
  return y;
}
