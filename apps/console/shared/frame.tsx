import { QueryClientProvider } from '@tanstack/preact-query';
import type { ComponentChildren } from 'preact';
import { Choice } from './choice.tsx';
import { hash } from './hash.ts';
import { PageHead } from './page.tsx';
import { THEMES, theme } from './preferences.ts';
import { queryClient } from './query-client.ts';
import { key, signOut } from './session.ts';
import { RetryNotice } from './states.tsx';
import { ViewBoundary } from './view-boundary.tsx';

/** A navigation link, and the views that it represents. */
export interface Place<View extends string> {
  title: string;
  href: string;
  views: readonly View[];
}

interface FrameProps<View extends string> {
  /** The name of the bundle. */
  name: string;
  /** The start view's address. */
  home: string;
  places: readonly Place<View>[];
  /** The current view. */
  view: View;
  /** Shown at the end of the header. */
  choices: ComponentChildren;
  /** Shown below the header. */
  notice?: ComponentChildren;
  /** The word for the reader's credential: key or token. */
  secret: string;
  /** The sign-in form. */
  signIn: ComponentChildren;
  /** Shown at the end of the footer. */
  foot?: ComponentChildren;
  /** The view shown once the reader has signed in. */
  children: ComponentChildren;
}

/** The page around each view in a bundle. It shows the sign-in form until the reader has entered a key or token. */
export function Frame<View extends string>(props: FrameProps<View>) {
  const { name, home, places, view, choices, notice, secret, signIn, foot, children } = props;
  const isSignedIn = key.value !== null;
  return (
    <QueryClientProvider client={queryClient}>
      <button type="button" class="skip" onClick={() => document.querySelector('main')?.focus()}>
        Skip to the content
      </button>
      <header class="top">
        <a class="brand" href={home}>
          Milepost <span>{name}</span>
        </a>
        {isSignedIn && (
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
          {isSignedIn && (
            <button type="button" onClick={() => signOut(null)}>
              Forget the {secret}
            </button>
          )}
        </div>
      </header>
      <RetryNotice />
      {isSignedIn && notice}
      <main tabIndex={-1}>{isSignedIn ? <ViewBoundary address={hash.value}>{children}</ViewBoundary> : signIn}</main>
      <footer class="bottom">
        <p>All dates and times are UTC. Hover over a time to see it in your local time zone.{foot}</p>
        <Choice label="Theme" options={THEMES} chosen={theme.value} onChoose={(next) => (theme.value = next)} />
      </footer>
    </QueryClientProvider>
  );
}

/** The view for unknown addresses. */
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
