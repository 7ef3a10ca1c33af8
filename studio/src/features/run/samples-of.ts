/** Samples a second that speech models take, unless somebody says otherwise. */
export const SPEECH_RATE = 16_000;

/** The first channel of a sound file at a rate, as the browser decodes it. */
export async function samplesOf(file: Blob, rate = SPEECH_RATE): Promise<Float32Array> {
  const decoder = new OfflineAudioContext(1, 1, rate);
  const buffer = await decoder.decodeAudioData(await file.arrayBuffer());
  return buffer.getChannelData(0).slice();
}
