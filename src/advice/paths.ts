import { nearest, quoted } from './near.js';

const MOST_NAMED = 5;

/** The first few models in a folder. */
function modelsIn(names: readonly string[]): string {
  const models = names.filter((name) => name.endsWith('.onnx'));
  const more = models.length > MOST_NAMED ? ' …' : '';
  return models.length > 0 ? quoted(models.slice(0, MOST_NAMED)) + more : '';
}

function namesOr<T>(list: () => readonly string[], otherwise: T): readonly string[] | T {
  try {
    return list();
  } catch {
    return otherwise;
  }
}

/** The reason why a path cannot be read. `list` lists the folder at the path, or the one that contains it. */
export function unreadableFile(
  complaint: string,
  path: string,
  place: string,
  code: string | undefined,
  list: () => readonly string[],
): string {
  const names = namesOr(list, undefined);
  if (code === 'EISDIR') {
    const models = modelsIn(names ?? []);
    return `${complaint}; it is a folder${models && ` that contains ${models}`}: pass the path of the .onnx file`;
  }
  if (code === 'EACCES' || code === 'EPERM') return `${complaint}; this process has no permission to read it`;
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return `${complaint} (${place})`;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(path)) return `${complaint}; URLs must begin with https:// or http://`;
  const file = place.split(/[/\\]/).at(-1) as string;
  const meant = names && nearest(file, names);
  const models = modelsIn(names ?? []);
  const relative =
    path === place
      ? ''
      : `; paths are relative to the working directory; for a path relative to your script, pass new URL("${path}", import.meta.url)`;
  if (!names) return `${complaint}; its folder does not exist${relative}`;
  if (meant !== undefined) return `${complaint}; did you mean "${meant}"?${relative}`;
  return `${complaint}${models && `; the folder contains ${models}`}${relative || (models ? '' : '; check the path')}`;
}
