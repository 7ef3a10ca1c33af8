import type { ComponentChildren } from 'preact';
import { FileButton } from '../../ui/file-button.js';

interface Props {
  readonly title: string;
  readonly label: string;
  readonly accept: string;
  readonly onFile: (file: File) => unknown;
  readonly children?: ComponentChildren;
}

/** A part of the model that can be replaced by a file, chosen with its button or dropped anywhere on it. */
export const TakeFile = ({ onFile, children, ...button }: Props) => (
  // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same
  <div
    class="stack"
    onDragOver={(event) => event.preventDefault()}
    onDrop={(event) => {
      const file = event.dataTransfer?.files[0];
      event.preventDefault();
      event.stopPropagation();
      if (file) onFile(file);
    }}
  >
    {children}
    <FileButton {...button} onFiles={([file]) => file && onFile(file)} />
  </div>
);
