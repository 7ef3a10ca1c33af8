/** Causes and remedies by HTTP status. */
const MEANINGS: Readonly<Record<number, string>> = {
  401: 'the server requires authentication: fetch the file with the necessary headers and pass the Response',
  403: 'the server denies access: fetch the file with the necessary headers and pass the Response',
  404: 'check the URL; on your own site, check that the file is in the folder that is served (often public/)',
  410: 'the file was removed: look for its new URL',
  429: 'too many requests: try again later, or cache the file with sardonyx/cache',
};

/** A response whose status is an error. */
export function refusedBy(complaint: string, status: number, address: string): string {
  const meaning = MEANINGS[status] ?? (status >= 500 ? 'the server failed: try again later' : undefined);
  const isRelative = status === 404 && globalThis.document !== undefined && !address.startsWith('blob:');
  return `${complaint}${meaning ? `; ${meaning}` : ''}${isRelative ? `; URLs are relative to ${document.baseURI}` : ''}`;
}

export const brokeOff = (complaint: string): string => `${complaint}; try again; sardonyx/cache can resume a download`;

/** A URL without a response, or whose response the page may not see. */
export function notFetched(complaint: string, address: string): string {
  const { location, document } = globalThis;
  if (/^file:/.test(address) || location?.protocol === 'file:')
    return `${complaint}; a page cannot fetch files from the disk: serve it with a web server, or pass the bytes of a file that the user selects`;
  if (location && location.origin !== new URL(address).origin)
    return `${complaint}; there is no connection, or the server does not allow this page to read the file (CORS): its response needs the header Access-Control-Allow-Origin: ${location.origin}`;
  return `${complaint}; ${document ? 'check the URL, the connection, and connect-src in the content security policy' : 'check the URL and the connection'}`;
}
