import { SardonyxError } from '../errors.js';
import { register } from './registry.js';

/** The domains whose operators are loaded when a model asks for them. */
const DOMAINS: Readonly<Record<string, () => Promise<object>>> = {
  'ai.onnx.ml': () => import('./traditionalml.js'),
  'ai.onnx.preview.training': () => import('./training.js'),
};

const loaded = new Map<string, Promise<void>>();

/** Loads the operators of these domains, as far as they are not there yet. */
export async function loadDomains(domains: Iterable<string> = Object.keys(DOMAINS)): Promise<void> {
  await Promise.all(Array.from(domains, loadDomain));
}

function loadDomain(domain: string): Promise<void> | undefined {
  const known = loaded.get(domain);
  const load = DOMAINS[domain];
  if (known || !load) return known;
  const loading = load().then(register, (cause) => {
    loaded.delete(domain);
    const message = `the operators of ${domain} cannot be loaded: ${cause?.message ?? cause} (sardonyx/inline has them at hand)`;
    throw new SardonyxError('UNSUPPORTED_PLATFORM', message, {}, { cause });
  });
  loaded.set(domain, loading);
  return loading;
}
