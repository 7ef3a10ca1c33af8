/** Samples per second that speech models take by default. */
export const SPEECH_RATE = 16_000;

/** The first channel of a sound file, resampled to a rate by the browser. */
export async function samplesOf(file: Blob, rate = SPEECH_RATE): Promise<Float32Array> {
  const decoder = new OfflineAudioContext(1, 1, rate);
  const buffer = await decoder.decodeAudioData(await file.arrayBuffer());
  return buffer.getChannelData(0).slice();
}
