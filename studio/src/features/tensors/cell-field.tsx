import { TextField } from '../../ui/text-field.js';

export interface Cell {
  readonly row: number;
  readonly column: number;
}

interface CellFieldProps {
  readonly cell: Cell;
  /** The number of rows and columns. */
  readonly within: Cell;
  readonly text: string;
  readonly onChoose: (cell: Cell) => void;
  readonly onWrite: (text: string) => void;
}

const PLACES = [
  ['Row', 'row'],
  ['Column', 'column'],
] as const;

/** Edits one cell of a table, chosen by its place or by a click. */
export const CellField = ({ cell, within, text, onChoose, onWrite }: CellFieldProps) => (
  <fieldset class="row choices cell-field">
    <legend class="quiet">Edit an element</legend>
    {PLACES.map(([title, axis]) => (
      <label class="label" key={axis}>
        {title}
        <input
          class="field"
          type="number"
          min={0}
          max={within[axis] - 1}
          value={cell[axis]}
          onInput={(event) => {
            const wanted = Math.trunc(Number(event.currentTarget.value));
            onChoose({ ...cell, [axis]: Math.max(0, Math.min(within[axis] - 1, wanted || 0)) });
          }}
        />
      </label>
    ))}
    <TextField label="Element" value={text} onChange={onWrite} isMono />
  </fieldset>
);
