import type { ValueMetadata } from 'sardonyx';
import { PICTURE_CHOICES } from '../runs/choices.js';
import { report } from '../workspace/notices.js';
import { samplesOf } from './samples-of.js';
import { choose, ways } from './state.js';

const SOUND = /\.(wav|mp3|ogg|opus|flac|m4a|webm)$/i;

/** Feeds an input from a file. */
export async function giveFile({ name }: ValueMetadata, file: File): Promise<void> {
  ways.value = new Map(ways.value).set(name, 'file');
  if (!SOUND.test(file.name)) return choose(name, { kind: 'file', file, picture: PICTURE_CHOICES });
  try {
    choose(name, { kind: 'sound', samples: await samplesOf(file) });
  } catch (error) {
    report(`Cannot read ${file.name}`, error);
  }
}
