import { toneOf, VOCABULARY } from './recipe-models.js';

/** Another rate than that of models: what does not resample hears other tones. */
const RATE = 44_100;
const SPOKEN_SECONDS = 0.15;
const PAUSE_SECONDS = 0.08;

/** A WAV file, in stereo, of a text whose every character is a tone, with pauses between them. */
export function spoken(text: string): Uint8Array {
  const samples = [...text].flatMap((character) => [
    ...tone(character),
    ...Array(Math.round(PAUSE_SECONDS * RATE)).fill(0),
  ]);
  const bytes = Buffer.alloc(44 + 4 * samples.length);
  bytes.write('RIFF    WAVEfmt ', 'latin1');
  bytes.writeUInt32LE(bytes.length - 8, 4);
  // https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html
  for (const [value, at, size] of [
    [16, 16, 4],
    [1, 20, 2],
    [2, 22, 2],
    [RATE, 24, 4],
    [4 * RATE, 28, 4],
    [4, 32, 2],
    [16, 34, 2],
  ] as const)
    bytes.writeUIntLE(value, at, size);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(4 * samples.length, 40);
  for (const [i, sample] of samples.entries())
    for (const [channel, loudness] of [0.5, 0.2].entries())
      bytes.writeInt16LE(Math.round(32767 * loudness * sample), 44 + 4 * i + 2 * channel);
  return bytes;
}

function tone(character: string): number[] {
  const id = VOCABULARY[(character === ' ' ? '|' : character) as keyof typeof VOCABULARY];
  const step = (2 * Math.PI * toneOf(id)) / RATE;
  return Array.from({ length: Math.round(SPOKEN_SECONDS * RATE) }, (_, t) => Math.sin(step * t));
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** In YCbCr of BT.601. */
const GREY = [126, 128, 128];
const RED = [81, 90, 240];

/** Frames of a red box on grey, as Chromium's fake camera takes them: https://wiki.multimedia.cx/index.php/YUV4MPEG2 */
export function filmed(width: number, height: number, { left, top, right, bottom }: Box): Uint8Array {
  const plane = (channel: number, shrink: number) =>
    Buffer.from(
      Array.from({ length: (width / shrink) * (height / shrink) }, (_, i) => {
        const [x, y] = [(i % (width / shrink)) * shrink, Math.floor(i / (width / shrink)) * shrink];
        return (x >= left && x < right && y >= top && y < bottom ? RED : GREY)[channel] as number;
      }),
    );
  const frame = Buffer.concat([Buffer.from('FRAME\n'), plane(0, 1), plane(1, 2), plane(2, 2)]);
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`), frame, frame]);
}
