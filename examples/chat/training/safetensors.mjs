import { readFileSync } from 'node:fs';

/** The tensors of a float32 safetensors file, by name: https://github.com/huggingface/safetensors#format */
export function readSafetensors(path) {
  const bytes = readFileSync(path);
  const start = 8 + Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.toString('utf8', 8, start));
  return Object.fromEntries(
    Object.entries(header).map(
      ([
        name,
        {
          dtype,
          shape,
          data_offsets: [from, to],
        },
      ]) => {
        if (dtype !== 'F32') throw new Error(`${path}: ${name} has the type ${dtype}; only F32 is supported`);
        const data = new Float32Array(new Uint8Array(bytes.subarray(start + from, start + to)).buffer);
        return [name, { dims: shape, data }];
      },
    ),
  );
}
