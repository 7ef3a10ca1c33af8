import { builtin } from './builtin.js';
import { pageAddress } from './page-address.js';

/**
 * Locates a file of the package, which `exports` lists by its name. If a bundler has moved the script, there may be no file at `beside`:
 * webpack in Next's server gives files the addresses that pages request. Then the file is in the installed package, or among the files that
 * Next has emitted.
 */
export function locateOwn(name: string, beside: URL): URL {
  const fs = builtin('fs');
  if (!fs || !isFile(beside) || fs.existsSync(beside)) return beside;
  const found = installed(name) ?? emittedByNext(beside);
  if (found && fs.existsSync(found)) return found;
  if (!isOfNext(beside)) return beside;
  const message = `${beside.href} was not deployed: set ${NEXT_SETTING} in next.config`;
  throw Object.assign(new Error(message), { code: 'ENOENT' });
}

/** webpack's kind of URL has no protocol: it is relative to a page, if there is one. */
const isFile = ({ protocol }: URL) => protocol === 'file:' || (protocol === '' && !pageAddress());

function installed(name: string): URL | undefined {
  try {
    const { resolve } = builtin('module')?.createRequire(`${process.cwd()}/`) ?? {};
    return resolve && builtin('url')?.pathToFileURL(resolve(`sardonyx/${name}`));
  } catch {
    return undefined;
  }
}

/** The setting that makes Next deploy the files with a server; its own search finds only files that scripts name in other forms. */
const NEXT_SETTING = "outputFileTracingIncludes: { '/*': ['node_modules/sardonyx/**'] }";

const isOfNext = ({ pathname }: URL) => pathname.includes('/_next/');

/** Pages request /_next/static, which is the folder .next/static. */
const emittedByNext = ({ pathname }: URL): URL | undefined =>
  builtin('url')?.pathToFileURL(pathname.replace(/^.*\/_next\//, '.next/'));
