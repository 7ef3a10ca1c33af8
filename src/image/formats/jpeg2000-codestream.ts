const [SOC, SIZ, COD, QCD, QCC, SOT, SOD, EOC] = [0xff4f, 0xff51, 0xff52, 0xff5c, 0xff5d, 0xff90, 0xff93, 0xffd9];
/** Segments that are skipped: COC, TLM, PLM, PLT and COM. */
const SKIPPED = [0xff53, 0xff55, 0xff57, 0xff58, 0xff64];

const MAX_SAMPLES = 2 ** 26;
const MAX_COMPONENTS = 4;
const MAX_LEVELS = 32;
/** Limits on the resolutions of tile-components, on code-blocks, and on code-blocks visited in the search for those of every packet. */
const MAX_RESOLUTIONS = 2 ** 20;
const MAX_BLOCKS = 2 ** 20;
const MAX_SEARCH = 2 ** 31;
const MAX_LAYERED_SAMPLES = 2 ** 30;

interface Size {
  readonly components: number;
  readonly samples: number;
  readonly tiles: number;
}

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** The codestream in a JP2 file, or the bytes themselves. */
export function codestreamOf(bytes: Uint8Array): Uint8Array {
  const data = view(bytes);
  if (data.getUint16(0) === SOC) return bytes;
  for (let at = 0; at + 8 <= bytes.length; ) {
    const [length, type] = [data.getUint32(at), data.getUint32(at + 4)];
    const end = length === 0 ? bytes.length : at + length;
    if (length === 1 || (length > 0 && length < 8) || end > bytes.length) break;
    if (type === 0x6a703263) return bytes.subarray(at + 8, end);
    at = end;
  }
  throw new Error('it has no codestream');
}

/**
 * Checks the segments of a codestream, which the decoder trusts: it must be complete, and no size in it may require more time or memory
 * than its samples justify. ISO/IEC 15444-1, annex A.
 */
export function checkCodestream(bytes: Uint8Array): void {
  const data = view(bytes);
  const u16 = (at: number) => (at + 2 <= bytes.length ? data.getUint16(at) : refuse('it ends early'));
  const u32 = (at: number) => u16(at) * 65536 + u16(at + 2);
  if (u16(0) !== SOC || u16(2) !== SIZ) refuse('it has no codestream');
  const size = checkSize(u16, u32, bytes);
  const begun = new Set<number>();
  for (let at = 4 + u16(4); ; ) {
    const marker = u16(at);
    if (marker === EOC) return;
    if (marker === SOT) {
      const [tile, length, part] = [u16(at + 4), u32(at + 6), u16(at + 10) >> 8];
      if (part === 0 && begun.has(tile)) refuse(`tile ${tile} begins twice`);
      begun.add(tile);
      at = checkTilePart(at, length);
      continue;
    }
    at = checkSegment(at);
  }

  /** Checks a segment of a header, and returns its end. */
  function checkSegment(at: number): number {
    const marker = u16(at);
    if (marker === COD) checkCodingStyle(size, bytes, at);
    else if (![QCD, QCC, ...SKIPPED].includes(marker)) refuse(`the marker ${marker.toString(16)} is out of place`);
    return at + 2 + u16(at + 2);
  }

  /** Checks a tile-part, whose header has its own segments, and returns its end. */
  function checkTilePart(start: number, length: number): number {
    let at = start + 12;
    while (u16(at) !== SOD) at = checkSegment(at);
    if (start + length < at + 2 || start + length > bytes.length) refuse(`a tile-part of ${length} bytes`);
    return start + length;
  }
}

function checkSize(u16: (at: number) => number, u32: (at: number) => number, bytes: Uint8Array): Size {
  const [right, bottom, left, top, tileWidth, tileHeight, tileLeft, tileTop] = [8, 12, 16, 20, 24, 28, 32, 36].map(
    u32,
  ) as [number, number, number, number, number, number, number, number];
  const components = u16(40);
  const samples = (right - left) * (bottom - top) * components;
  if (!(right > left && bottom > top && samples <= MAX_SAMPLES && components <= MAX_COMPONENTS))
    refuse(`${right - left} by ${bottom - top} pixels of ${components} components are too many or none`);
  for (let i = 0; i < components; i++)
    if (bytes[43 + 3 * i] !== 1 || bytes[44 + 3 * i] !== 1) refuse('subsampled components are not supported');
  const tiles = Math.ceil((right - tileLeft) / tileWidth) * Math.ceil((bottom - tileTop) / tileHeight);
  const covers = tileLeft <= left && tileTop <= top && tileLeft + tileWidth > left && tileTop + tileHeight > top;
  if (!covers || !(tiles <= 65535)) refuse(`tiles of ${tileWidth} by ${tileHeight} pixels`);
  return { components, samples, tiles };
}

function checkCodingStyle({ components, samples, tiles }: Size, bytes: Uint8Array, at: number): void {
  const [style = 0, , high = 0, low = 0, , levels = 0, x = 0, y = 0] = bytes.subarray(at + 4, at + 12);
  const layers = high * 256 + low;
  const [xcb, ycb] = [(x & 15) + 2, (y & 15) + 2];
  if (levels > MAX_LEVELS || xcb > 10 || ycb > 10 || xcb + ycb > 12)
    refuse('code-blocks beyond what the standard allows');
  const precincts = style & 1 ? [...bytes.subarray(at + 14, at + 15 + levels)] : [0xff];
  const exponents = precincts.map((byte, r) => [byte & 15, byte >> 4, r > 0 ? 1 : 0] as const);
  if (exponents.some(([w, h, shrunk]) => w < shrunk || h < shrunk)) refuse('precincts without a sample');
  const perBlock = exponents.map(([w, h, shrunk]) => 2 ** (Math.min(xcb, w - shrunk) + Math.min(ycb, h - shrunk)));
  const resolutions = tiles * components * (levels + 1);
  const blocks = samples / Math.min(...perBlock) + 3 * resolutions;
  const areas = exponents.map(([w, h]) => 2 ** (w + h));
  const packets = Math.min(bytes.length, layers * (samples / Math.min(...areas) + resolutions));
  if (resolutions > MAX_RESOLUTIONS || blocks > MAX_BLOCKS) refuse('too many tiles, resolutions or code-blocks');
  if (packets * (blocks / tiles) > MAX_SEARCH || samples * layers > MAX_LAYERED_SAMPLES)
    refuse(`too many packets of ${layers} layers`);
}

function refuse(reason: string): never {
  throw new Error(reason);
}
