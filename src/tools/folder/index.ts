export type { Folder, FolderFile } from './folder.js';
export type { NamedFile } from './of-list.js';
export { type FolderSource, openFolder } from './open-folder.js';
