import type { ValueMetadata } from 'sardonyx';
import { report } from '../../store/notices.js';
import { setInput } from '../../store/session.js';
import { PICTURE_CHOICES } from '../../workers/contracts/feeding.js';
import { samplesOf } from './samples-of.js';
import { ways } from './state.js';

const SOUND = /\.(wav|mp3|ogg|opus|flac|m4a|webm)$/i;

/** Feeds an input from a file. */
export async function giveFile({ name }: ValueMetadata, file: File): Promise<void> {
  ways.value = new Map(ways.value).set(name, 'file');
  if (!SOUND.test(file.name)) return setInput(name, { kind: 'file', file, picture: PICTURE_CHOICES });
  try {
    setInput(name, { kind: 'sound', samples: await samplesOf(file) });
  } catch (error) {
    report(`Cannot read ${file.name}`, error);
  }
}
