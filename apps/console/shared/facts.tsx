import type { ComponentChildren } from 'preact';

/** A fact and its name. */
export type Fact = readonly [name: string, fact: ComponentChildren];

/** A list of named facts. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, fact]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
