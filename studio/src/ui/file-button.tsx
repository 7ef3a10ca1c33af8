interface Props {
  readonly title: string;
  readonly onFiles: (files: readonly File[]) => unknown;
  /** The accessible name, if the title isn't unique. */
  readonly label?: string;
  readonly accept?: string;
  readonly isMultiple?: boolean;
}

/** A button that asks for files; the same file can be chosen again. */
export const FileButton = ({ title, onFiles, label = title, accept = '', isMultiple = false }: Props) => (
  <label class="button">
    {title}
    <input
      class="sr-only"
      type="file"
      aria-label={label}
      accept={accept}
      multiple={isMultiple}
      onChange={({ currentTarget }) => {
        const files = [...(currentTarget.files ?? [])];
        currentTarget.value = '';
        if (files.length > 0) onFiles(files);
      }}
    />
  </label>
);
