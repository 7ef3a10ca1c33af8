import { type Trial, trialsAmong } from '../conformance/layout.js';
import type { Folder, FolderFile } from '../folder/folder.js';

/** A model with its data sets, named by the last step of its folder. */
export type FolderTrial = Trial<FolderFile>;

/**
 * The trials in a folder that lies as the Model Zoo's or the light models' do, else those in the folders in it, or deeper: of the
 * least depth at which there are any.
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
