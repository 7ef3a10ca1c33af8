/** Exporters' names for the output that is fed to `past_key_values.0.key`, `past_0_key`, `past_conv.0` … */
export const presentNames = (input: string): string[] =>
  input.startsWith('past')
    ? ['present', 'present_key_values'].map((present) => input.replace(/^past(_key_values)?/, present))
    : [];
