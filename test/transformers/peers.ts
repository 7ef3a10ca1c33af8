import { fileURLToPath } from 'node:url';
import { installedPackages } from '../installed-packages.js';

/** The folder with the packages of test/transformers/package.json; null where they cannot be installed. */
export const installedPeers = (): string | null => installedPackages(fileURLToPath(new URL('.', import.meta.url)));
