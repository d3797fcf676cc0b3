import type { ComponentChildren } from 'preact';
import { Choice } from './choice.tsx';
import { PageHead } from './page.tsx';
import { THEMES, theme } from './preferences.ts';
import { key, signOut } from './session.ts';
import { WaitingNotice } from './states.tsx';

/** A place that the navigation leads to, and the views that belong to it. */
export interface Place<View extends string> {
  title: string;
  href: string;
  views: readonly View[];
}

interface FrameProps<View extends string> {
  /** The name of the bundle. */
  name: string;
  /** Where the bundle begins. */
  home: string;
  places: readonly Place<View>[];
  /** The view that is shown. */
  view: View;
  /** Stands before the choice of the theme. */
  choices: ComponentChildren;
  /** What the visitor has entered: a key or a token. */
  secret: string;
  /** Asks for the secret. */
  signIn: ComponentChildren;
  /** Follows what the foot says of times. */
  foot?: ComponentChildren;
  /** The view itself, once the secret is known. */
  children: ComponentChildren;
}

/** What stands around each view of a bundle, and the question for the secret in place of the view until it is known. */
export function Frame<View extends string>(props: FrameProps<View>) {
  const { name, home, places, view, choices, secret, signIn, foot, children } = props;
  const isKnown = key.value !== null;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href={home}>
          Milepost <span>{name}</span>
        </a>
        {isKnown && (
          <nav class="places" aria-label="Views">
            {places.map(({ title, href, views }) => (
              <a key={title} href={href} {...(views.includes(view) ? { 'aria-current': 'page' } : {})}>
                {title}
              </a>
            ))}
          </nav>
        )}
        <div class="choices">
          {choices}
          <Choice label="Theme" words={THEMES} chosen={theme} />
          {isKnown && (
            <button type="button" onClick={() => signOut(null)}>
              Forget the {secret}
            </button>
          )}
        </div>
      </header>
      <WaitingNotice />
      <main tabIndex={-1}>{isKnown ? children : signIn}</main>
      <footer class="bottom">All dates and times are UTC. Point at a time to see yours.{foot}</footer>
    </>
  );
}

/** The view of an address that names none. */
export function UnknownView({ home, title }: { home: string; title: string }) {
  return (
    <>
      <PageHead title="There is no such page" />
      <p>
        The address may be incomplete. <a href={home}>{title}</a>
      </p>
    </>
  );
}
