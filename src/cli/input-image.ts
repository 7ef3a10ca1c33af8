import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeImage, type Image } from './decode-image.js';
import { startsWith } from './read-file.js';

const MAGICS = { png: '\x89PNG', jpg: '\xff\xd8\xff' } as const;

export type ImageFormat = keyof typeof MAGICS;

/** The image format that bytes are in, if they are in any. */
export const imageFormat = (bytes: Uint8Array): ImageFormat | undefined =>
  (Object.keys(MAGICS) as ImageFormat[]).find((format) => startsWith(bytes, MAGICS[format]));

/** The picture in these bytes. */
export async function decodeBytes(bytes: Uint8Array, format: ImageFormat): Promise<Image> {
  const folder = mkdtempSync(join(tmpdir(), 'sardonyx-image-'));
  try {
    const file = join(folder, `input.${format}`);
    writeFileSync(file, bytes);
    return await decodeImage(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
