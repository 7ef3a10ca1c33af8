import { text } from '../../store/workspace.js';

/** Operators, by string index, and how often each occurs. */
export const OperatorTable = ({ counts }: { counts: readonly (readonly [operator: number, count: number])[] }) => (
  <section>
    <h3>Operators</h3>
    {counts.length === 0 && <p class="quiet">This graph has no nodes.</p>}
    <table class="table">
      <tbody>
        {counts.map(([operator, count]) => (
          <tr key={operator}>
            <td>{text(operator)}</td>
            <td class="number">{count}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
