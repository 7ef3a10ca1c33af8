interface Props {
  readonly title: string;
  readonly value: boolean;
  readonly onChange: (value: boolean) => void;
}

/** A labelled checkbox. */
export const Check = ({ title, value, onChange }: Props) => (
  <label class="check">
    <input
      type="checkbox"
      checked={value}
      onChange={({ currentTarget: { checked } }) => {
        onChange(checked);
      }}
    />
    {title}
  </label>
);
