import { readFileSync } from 'node:fs';
import { brokenAfter, type Handler, serve, whole } from '../loading/server.js';
import type { Subject } from './subjects.js';

/** Serves every subject by its name; `breaks-off` hangs up in the middle. */
export function serveSubjects(subjects: readonly Subject[]) {
  const models = subjects.map(({ name, path }): [string, Handler] => [
    `/${encodeURIComponent(name)}`,
    (request, response) => whole(readFileSync(path), { etag: '"1"' })(request, response),
  ]);
  const broken = readFileSync(subjects[0]?.path as string);
  return serve({ ...Object.fromEntries(models), '/breaks-off': brokenAfter(broken, broken.length >> 1) });
}
