import { Prose } from '../../ui/prose.js';
import type { AttributeDetails } from '../../workers/contracts/details.js';
import { TensorButton } from '../tensors/tensor-button.js';
import { Enter } from './enter.js';
import type { AttributeDocs } from './operator-docs.js';

interface AttributesProps {
  readonly operator: string;
  readonly attributes: readonly AttributeDetails[];
  readonly docs: readonly AttributeDocs[];
}

/** The attributes that a node sets, and those left at their defaults; each expands to its description. */
export function Attributes({ operator, attributes, docs }: AttributesProps) {
  const docsOf = new Map(docs.map((each) => [each.name, each]));
  const named = new Set(attributes.map(({ name }) => name));
  const unset = docs.filter(({ name, fallback }) => !named.has(name) && fallback !== undefined);
  if (attributes.length + unset.length === 0) return null;
  return (
    <section>
      <h3>Attributes</h3>
      {attributes.map((attribute) => (
        <div key={attribute.name}>
          <Row
            name={attribute.name}
            kind={attribute.kind}
            text={attribute.text}
            about={docsOf.get(attribute.name)?.text || attribute.doc}
          />
          {attribute.tensors.map((facts, i) => (
            <TensorButton key={`${attribute.name} ${i}`} facts={facts} title={`${operator} ${attribute.name}`} />
          ))}
          {attribute.graphs?.map(({ path, title }) => (
            <Enter key={path} path={path} title={`Open ${title}`} />
          ))}
        </div>
      ))}
      {unset.map(({ name, kind, fallback, text }) => (
        <Row key={name} name={name} kind={kind} text={fallback ?? ''} about={text} isDefault />
      ))}
    </section>
  );
}

interface RowProps {
  readonly name: string;
  readonly kind: string;
  readonly text: string;
  readonly about: string | undefined;
  readonly isDefault?: boolean;
}

const Row = ({ name, kind, text, about, isDefault = false }: RowProps) => (
  <details class="attribute">
    <summary>
      <span>{name}</span>
      <span class={isDefault ? 'mono quiet' : 'mono'}>{text}</span>
      {isDefault && <span class="quiet">default</span>}
    </summary>
    <p class="quiet">{kind}</p>
    <Prose text={about || 'No documentation.'} />
  </details>
);
