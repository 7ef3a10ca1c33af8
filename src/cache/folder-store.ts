import { builtin } from '../../bindings/builtin.js';
import type { Appender, FileStore } from './file-store.js';

/** A store in a folder, for Node, Deno and Bun; null without a file system. */
export function folderStore(folder = defaultFolder()): FileStore | null {
  const [fs, path] = [builtin('fs')?.promises, builtin('path')];
  if (!fs || !path || !folder) return null;
  const at = (name: string) => path.join(folder, name);
  return {
    place: folder,
    readText: (name) => fs.readFile(at(name), 'utf8').catch(missing),
    async writeText(name, text) {
      await fs.mkdir(folder, { recursive: true });
      const draft = at(`${name}.${crypto.randomUUID()}.tmp`);
      try {
        await fs.writeFile(draft, text);
        await fs.rename(draft, at(name));
      } catch (error) {
        await fs.rm(draft, { force: true }).catch(() => {});
        throw error;
      }
    },
    names: async () => (await fs.readdir(folder).catch(missing)) ?? [],
    remove: (name) => fs.rm(at(name), { force: true }),
    size: async (name) => (await fs.stat(at(name)).catch(missing))?.size ?? 0,
    async append(name): Promise<Appender> {
      await fs.mkdir(folder, { recursive: true });
      const file = await fs.open(at(name), 'a').then((made) => made.close().then(() => fs.open(at(name), 'r+')));
      let { size } = await file.stat();
      return {
        get length() {
          return size;
        },
        // Writes at explicit positions, so that two processes that download the same file do not corrupt it.
        async write(bytes) {
          for (let done = 0; done < bytes.length; ) {
            const { bytesWritten } = await file.write(bytes, done, bytes.length - done, size);
            done += bytesWritten;
            size += bytesWritten;
          }
        },
        async close() {
          await file.sync().finally(() => file.close());
        },
      };
    },
    open: async (name) => at(name),
  };
}

function defaultFolder(): string | undefined {
  const [os, path] = [builtin('os'), builtin('path')];
  const { SARDONYX_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = globalThis.process?.env ?? {};
  if (SARDONYX_CACHE) return SARDONYX_CACHE;
  const base = XDG_CACHE_HOME || LOCALAPPDATA || (os && path?.join(os.homedir(), '.cache'));
  return base && path?.join(base, 'sardonyx');
}

function missing(cause: { readonly code?: string }): undefined {
  if (cause.code !== 'ENOENT') throw cause;
}
