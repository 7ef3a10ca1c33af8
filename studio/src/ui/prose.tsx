import './prose.css';
/**
 * Third-party text in paragraphs. Fences and backticks become code, as in ONNX's documentation; nothing is interpreted as HTML.
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
