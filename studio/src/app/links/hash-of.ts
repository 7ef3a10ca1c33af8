const hashes = new WeakMap<Blob, Promise<string>>();

/** The SHA-256 of a file in hexadecimal digits, computed once. Unavailable outside secure contexts (https or localhost). */
export function hashOf(file: Blob): Promise<string> {
  const known = hashes.get(file) ?? compute(file);
  hashes.set(file, known);
  return known;
}

async function compute(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
