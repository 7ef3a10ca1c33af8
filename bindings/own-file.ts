import { builtin } from './builtin.js';
import { pageAddress } from './page-address.js';

/**
 * Where a file of the package is, which `exports` has under its name. A script that a bundler has moved may have no file at the place
 * `beside` it, as in Next's server built by webpack, which gives files the addresses that pages ask for: then it is where the
 * package is installed, or among what Next has emitted.
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

/** webpack's own kind of URL has no protocol: it is relative to a page, if there is one. */
const isFile = ({ protocol }: URL) => protocol === 'file:' || (protocol === '' && !pageAddress());

function installed(name: string): URL | undefined {
  try {
    const { resolve } = builtin('module')?.createRequire(`${process.cwd()}/`) ?? {};
    return resolve && builtin('url')?.pathToFileURL(resolve(`sardonyx/${name}`));
  } catch {
    return undefined;
  }
}

/** What Next then packs with a server; its own search for files sees those that scripts name in other ways. */
const NEXT_SETTING = "outputFileTracingIncludes: { '/*': ['node_modules/sardonyx/**'] }";

const isOfNext = ({ pathname }: URL) => pathname.includes('/_next/');

/** What pages know as /_next/static lies in the folder .next/static. */
const emittedByNext = ({ pathname }: URL): URL | undefined =>
  builtin('url')?.pathToFileURL(pathname.replace(/^.*\/_next\//, '.next/'));
