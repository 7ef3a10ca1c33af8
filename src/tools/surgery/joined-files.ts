import type { TensorProto } from '../../../build/onnx.js';
import { changedList, withChanges } from '../../model/document/changed.js';
import type { LeftFile } from '../../model/document/left-bytes.js';
import type { Model } from '../../model/document/model.js';
import { tensorsOf, withTensors } from '../../model/document/tensors.js';
import { withProto } from '../model-of.js';
import { isExternal, locationOf } from '../tensor-data.js';
import { freshNames } from './names.js';

interface Joined {
  readonly first: Model;
  readonly second: Model;
  /** Access to the files of both models. */
  readonly store: Pick<Model, 'files' | 'folder' | 'pending'>;
}

/** Ensures that two models do not use the same path for different files. */
export function joinedFiles(first: Model, second: Model): Joined {
  const [mine, theirs] = [locationsIn(first), locationsIn(second)];
  const isOneFolder = first.folder !== undefined && first.folder === second.folder;
  const fresh = freshNames(new Set([...mine, ...theirs]));
  const moved = new Map<string, string>();
  if (!isOneFolder) for (const path of theirs) if (mine.has(path)) moved.set(path, fresh(path));
  const origins = new Map([...theirs].map((path) => [moved.get(path) ?? path, path]));
  const proto = withTensors(second.proto, (tensor) => {
    const path = isExternal(tensor) ? moved.get(locationOf(tensor)) : undefined;
    return path === undefined ? tensor : withLocation(tensor, path);
  });
  const folders = [...(mine.size > 0 ? [first.folder] : []), ...(theirs.size > 0 ? [second.folder] : [])];
  const isMoved = moved.size > 0 || new Set(folders).size !== 1;
  const pending = new Map<string, LeftFile>(first.pending ?? []);
  for (const [path, file] of second.pending ?? []) pending.set(moved.get(path) ?? path, file);
  return {
    first,
    second: withProto(second, proto),
    store: {
      files: (path) =>
        mine.has(path) && !(isOneFolder && origins.has(path))
          ? first.files(path)
          : second.files(origins.get(path) ?? path),
      folder: isMoved ? undefined : folders[0],
      ...(pending.size > 0 && { pending }),
    },
  };
}

const locationsIn = ({ proto }: Model): Set<string> => new Set(tensorsOf(proto, isExternal).map(locationOf));

const withLocation = (tensor: TensorProto, location: string): TensorProto =>
  withChanges(tensor, {
    externalData: changedList(tensor.externalData, (entry) =>
      entry.key === 'location' ? withChanges(entry, { value: location }) : entry,
    ),
  });
