import './prose.css';
/**
 * Text that others wrote, in paragraphs. Fences and backticks become code, as ONNX's documentation has them; nothing of it is ever
 * taken for HTML.
 */
export const Prose = ({ text }: { text: string }) => (
  <div class="prose">
    {text.split(/^```.*$/m).map((part, i) =>
      i % 2 === 1 ? (
        <pre key={part}>{part.replace(/^\n|\n$/g, '')}</pre>
      ) : (
        part
          .split(/\n\s*\n/)
          .filter((paragraph) => paragraph.trim() !== '')
          .map((paragraph) => <p key={paragraph}>{inline(paragraph)}</p>)
      ),
    )}
  </div>
);

const inline = (paragraph: string) =>
  paragraph
    .split(/(`[^`\n]+`)/)
    .map((part) => (/^`.+`$/.test(part) ? <code key={part}>{part.slice(1, -1)}</code> : part));
