// Channel slices: pixels of `channels` floats set `stride` apart.

const BETWEEN = 9;

export function spreadPixels(x: Float32Array, channels: number, stride: number): Float32Array {
  const out = new Float32Array((x.length / channels) * stride).fill(BETWEEN);
  for (let i = 0; i < x.length; i++) out[Math.floor(i / channels) * stride + (i % channels)] = x[i] as number;
  return out;
}

export function gatherPixels(x: Float32Array, channels: number, stride: number): Float32Array {
  return x.filter((_, i) => i % stride < channels);
}

/** Whether what lies between the pixels is as spreadPixels left it. */
export function gapsIntact(x: Float32Array, channels: number, stride: number): boolean {
  return x.every((v, i) => i % stride < channels || v === BETWEEN);
}
