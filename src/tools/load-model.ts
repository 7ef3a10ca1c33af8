import { builtin } from '../../bindings/builtin.js';
import { SardonyxError } from '../base/errors.js';
import { GrowingBytes } from '../loading/growing-bytes.js';
import { receive } from '../loading/incoming.js';
import { Loading, type LoadOptions } from '../loading/loading.js';
import { type DataSource, openSource } from '../loading/source.js';
import { frozen } from '../model/document/frozen.js';
import { type LeftFile, rangeOf } from '../model/document/left-bytes.js';
import type { Model } from '../model/document/model.js';
import { decodeFile } from '../model/document/skeleton.js';
import { rangesOf } from '../model/files.js';
import { modelOf, NO_FILES } from './model-of.js';

/** Loads a model as a document; of a file, larger weights stay where they are until they are asked for. */
export async function loadModel(source: DataSource, options: LoadOptions = {}): Promise<Model> {
  const loading = new Loading(options);
  try {
    loading.check();
    const opened = await openSource(source, loading);
    if (opened.kind === 'path') return await modelIn(fileAt(opened.path));
    if (opened.kind === 'bytes') return modelOf(opened.bytes);
    const bytes = new GrowingBytes(opened.file.total);
    await receive(opened.file, loading, (part) => bytes.push(part));
    return modelOf(bytes.take());
  } finally {
    loading.close();
  }
}

const modelIn = async (file: LeftFile): Promise<Model> => ({
  proto: frozen(await decodeFile(file)),
  original: rangeOf(file, 0, file.size),
  files: NO_FILES,
});

/** A file that must stay as it is now. */
function fileAt(path: string): LeftFile {
  const { size, ranges } = rangesOf(path, path);
  const written = () => builtin('fs')?.statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const modified = written();
  return {
    size,
    range(begin, end) {
      if (written() !== modified)
        throw new SardonyxError('FILE_UNREADABLE', `"${path}" was changed since the model was loaded; load it again`);
      return ranges(begin, end - begin)();
    },
  };
}
