import type { DataSource } from '../../loading/source.js';
import { openBeside } from '../load-model.js';

/** All bytes of a file. */
export async function readWhole(source: DataSource): Promise<Uint8Array> {
  const { file } = await openBeside(source);
  return file.range(0, file.size);
}
