import type { ComponentType } from 'preact';
import type { ValueMetadata } from 'sardonyx';
import { setInput } from '../../store/session.js';
import { Choice } from '../../ui/choice.js';
import { inOrder } from '../../ui/in-order.js';
import { Camera } from './camera.js';
import { DrawingPad } from './drawing-pad.js';
import { FileField } from './file-field.js';
import { Generated } from './generated.js';
import { Microphone } from './microphone.js';
import { Numbers, Texts } from './numbers.js';
import { firstChoice, SOURCES, type SourceId } from './sources.js';
import { ways } from './state.js';

/** The controls of each source. */
const CONTROLS: Readonly<Record<SourceId, ComponentType<{ readonly input: ValueMetadata }>>> = {
  generated: Generated,
  file: FileField,
  draw: DrawingPad,
  camera: Camera,
  microphone: Microphone,
  numbers: Numbers,
  texts: Texts,
};

export const Inputs = ({ inputs }: { inputs: readonly ValueMetadata[] }) => (
  <section class="stack" aria-label="Inputs">
    {inputs.map((input) => (
      <InputCard key={input.name} input={input} />
    ))}
  </section>
);

function InputCard({ input }: { input: ValueMetadata }) {
  const { name } = input;
  const way = ways.value.get(name) ?? 'generated';
  const Control = CONTROLS[way];
  return (
    <fieldset class="card stack" aria-label={`Input ${name}`}>
      <div class="output-head input-head">
        <strong title={name}>{name}</strong>
        <span class="mono quiet" title={typeText(input)}>
          {typeText(input)}
        </span>
      </div>
      <Choice
        title={input.hasDefault ? 'Source (optional)' : 'Source'}
        options={SOURCES.filter(({ suits }) => suits(input)).map(({ id, title }) => [id, title])}
        value={way}
        onChange={(id) => {
          ways.value = new Map(ways.value).set(name, id);
          setInput(name, firstChoice(id));
        }}
      />
      <Control input={input} />
    </fieldset>
  );
}

export const typeText = (value: ValueMetadata): string =>
  inOrder(value.isTensor ? `${value.type}[${value.shape.join(', ')}]` : formText(value.valueType));

type Form = Extract<ValueMetadata, { isTensor: false }>['valueType'];

/** Types of sequences, maps and optional values in ONNX notation. */
function formText(type: Form): string {
  if (!type) return '?';
  switch (type.kind) {
    case 'sequence':
      return `seq(${formText(type.of)})`;
    case 'optional':
      return `optional(${formText(type.of)})`;
    case 'map':
      return `map(${type.key},${formText(type.value)})`;
    default: {
      const text = `${type.element}[${type.dims ? type.dims.join(',') : '…'}]`;
      return type.kind === 'sparse' ? `sparse(${text})` : text;
    }
  }
}
