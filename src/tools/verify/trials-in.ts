import { type Trial, trialsAmong } from '../conformance/layout.js';
import type { Folder, FolderFile } from '../folder/folder.js';

/** A model with its data sets, named after its folder. */
export type FolderTrial = Trial<FolderFile>;

/**
 * The trials in a folder with the layout of the Model Zoo or the light models, or else those in its subfolders at the
 * lowest depth that has any.
 */
export async function trialsIn({ name, list }: Folder): Promise<FolderTrial[]> {
  const files: [string, FolderFile][] = [];
  let depth = 1;
  for await (const file of list()) {
    const steps = file.path.split('/').length - 1;
    const found = steps > depth ? trialsAmong(files) : [];
    if (found.length > 0) return found.map(byFolder);
    depth = Math.max(depth, steps);
    files.push([`${name}/${file.path}`, file]);
  }
  return trialsAmong(files).map(byFolder);
}

const byFolder = (trial: FolderTrial): FolderTrial => ({ ...trial, name: trial.name.split('/').at(-1) as string });
