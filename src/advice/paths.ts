import { nearest, quoted } from './near.js';

const MOST_NAMED = 5;

/** Models in a folder, the first few. */
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

/** Why a path cannot be read; `list` names what is in the folder that it leads to. */
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
    return `${complaint}; it is a folder${models && `, which has ${models}`}: give the path of the .onnx file`;
  }
  if (code === 'EACCES' || code === 'EPERM')
    return `${complaint}; this process may not read it: change its permissions, or the user`;
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return `${complaint} (${place})`;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(path)) return `${complaint}; an address begins with https:// or http://`;
  const file = place.split(/[/\\]/).at(-1) as string;
  const meant = names && nearest(file, names);
  const models = modelsIn(names ?? []);
  const relative =
    path === place
      ? ''
      : `; relative paths start at the working directory, whatever script runs: beside a script, give new URL("${path}", import.meta.url)`;
  if (!names) return `${complaint}, nor the folder${relative}`;
  if (meant !== undefined) return `${complaint}; did you mean "${meant}"?${relative}`;
  return `${complaint}${models && `; its folder has ${models}`}${relative || (models ? '' : '; check the path')}`;
}
