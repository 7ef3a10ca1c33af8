interface Hosts {
  readonly Deno?: { readonly version: { readonly deno: string } };
  readonly Bun?: { readonly version: string };
  readonly process?: { readonly versions?: { readonly node?: string } };
  readonly navigator?: { readonly userAgent?: string };
}

const BROWSER = /(?:Firefox|Edg|Chrome|Version)\/[\d.]+/;

/** The name of the JavaScript host, with its version if available. */
export function hostName(): string {
  const { Deno, Bun, process, navigator } = globalThis as Hosts;
  if (Deno) return `Deno ${Deno.version.deno}`;
  if (Bun) return `Bun ${Bun.version}`;
  const agent = navigator?.userAgent ?? '';
  if (agent === 'Cloudflare-Workers') return 'workerd';
  if (process?.versions?.node) return `Node ${process.versions.node}`;
  return BROWSER.exec(agent)?.[0].replace('/', ' ').replace('Version', 'Safari') ?? agent;
}
