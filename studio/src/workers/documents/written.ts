import { Zip, ZipPassThrough } from 'fflate';
import { fromExternalData, type Model, saveModel } from 'sardonyx/model';
import type { ModelFiles } from '../contracts/documents.js';

/** A document as the files to create a session from; external weights stay where they are. */
export async function filesOf(model: Model, files: ModelFiles): Promise<ModelFiles> {
  return { ...files, model: blobOf(await saveModel(model)) };
}

const blobOf = (bytes: Uint8Array): Blob => new Blob([bytes as Uint8Array<ArrayBuffer>]);

/** The model as one file with all its weights. */
export async function asOneFile(model: Model): Promise<Blob> {
  return blobOf(await saveModel(await fromExternalData(model)));
}

/** The model and its weights as two files in a folder. */
export const intoFolder = (model: Model, folder: FileSystemDirectoryHandle, name: string): Promise<undefined> =>
  saveModel(model, { folder, name }, { externalData: { location: `${name}.data` } });

/** The same as a .zip, for browsers that cannot write to folders; uses a temporary private folder. */
export async function asZip(model: Model, name: string): Promise<Blob> {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle('saved', { create: true });
  try {
    await intoFolder(model, folder, name);
    return await zipped(folder);
  } finally {
    await root.removeEntry('saved', { recursive: true });
  }
}

/** Stores files uncompressed, since weights do not compress. */
async function zipped(folder: FileSystemDirectoryHandle): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, part) => {
    if (error) throw error;
    parts.push(part as Uint8Array<ArrayBuffer>);
  });
  for await (const handle of folder.values()) {
    const entry = new ZipPassThrough(handle.name);
    zip.add(entry);
    const reader = (await (handle as FileSystemFileHandle).getFile()).stream().getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) entry.push(piece.value);
    entry.push(new Uint8Array(), true);
  }
  zip.end();
  return new Blob(parts);
}
