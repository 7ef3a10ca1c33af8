/** What the answers of servers mean to those who wanted a file. */
const MEANINGS: Readonly<Record<number, string>> = {
  401: 'it asks for a login: fetch it yourself with the headers that it wants, and give the Response',
  403: 'it may not be read so: fetch it yourself with the headers that it wants, and give the Response',
  404: 'check the address; of a site of your own, see that the file is in the folder that is served (often public/)',
  410: 'it is there no more: look for its new address',
  429: 'the server wants fewer requests: try again later, or keep the file with sardonyx/cache',
};

/** A server's answer that is no file. */
export function refusedBy(complaint: string, status: number, address: string): string {
  const meaning = MEANINGS[status] ?? (status >= 500 ? 'the server has failed: try again later' : undefined);
  const isRelative = status === 404 && globalThis.document !== undefined && !address.startsWith('blob:');
  return `${complaint}${meaning ? `; ${meaning}` : ''}${isRelative ? `; addresses are relative to ${document.baseURI}` : ''}`;
}

export const brokeOff = (complaint: string): string =>
  `${complaint}; try again; sardonyx/cache goes on where a download broke off`;

/** An address from which no answer came, or none that a page may see. */
export function notFetched(complaint: string, address: string): string {
  const { location, document } = globalThis;
  if (/^file:/.test(address) || location?.protocol === 'file:')
    return `${complaint}; a page cannot fetch files of the disk: open it through a web server, or give the bytes of a file that was chosen`;
  if (location && location.origin !== new URL(address).origin)
    return `${complaint}; there is no connection, or the other server does not allow this page to read it (CORS): it must answer with Access-Control-Allow-Origin: ${location.origin}`;
  return `${complaint}; ${document ? 'check the address, the connection, and connect-src of the content security policy' : 'check the address and the connection'}`;
}
