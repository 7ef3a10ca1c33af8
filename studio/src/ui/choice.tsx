interface Props<T extends string | number> {
  readonly title: string;
  readonly options: readonly (readonly [T, string])[];
  readonly value: T;
  readonly onChange: (value: T) => void;
}

/** A labelled select. */
export const Choice = <T extends string | number>({ title, options, value, onChange }: Props<T>) => (
  <label class="label">
    {title}
    <select
      class="select"
      value={`${value}`}
      onChange={({ currentTarget }) => {
        const chosen = options.find(([id]) => `${id}` === currentTarget.value);
        if (chosen) onChange(chosen[0]);
      }}
    >
      {options.map(([id, text]) => (
        <option key={id} value={`${id}`}>
          {text}
        </option>
      ))}
    </select>
  </label>
);
