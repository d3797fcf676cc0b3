import type { ComponentChildren } from 'preact';

/** A list of named facts. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, fact: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, fact]) => [<dt key={name}>{name}</dt>, <dd key={`${name} fact`}>{fact}</dd>])}
    </dl>
  );
}
