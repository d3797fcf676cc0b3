import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Form } from './form.tsx';
import { PageHead } from './page.tsx';
import { refusal, signIn } from './session.ts';

interface SignInProps {
  title: string;
  label: string;
  hint: string;
  /** The label of the button. */
  action: string;
  /** Further fields. */
  children?: ComponentChildren;
}

/** Asks for the key or the token that every request contains. */
export function SignIn({ title, label, hint, action, children }: SignInProps) {
  const [text, setText] = useState('');
  return (
    <section class="sign-in">
      <PageHead title={title} />
      {refusal.value !== null && (
        <p role="alert" class="refusal">
          {refusal.value} Enter another one.
        </p>
      )}
      <Form onSubmit={() => text.trim() !== '' && signIn(text.trim())}>
        <label>
          {label}
          <input
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        {children}
        <button type="submit" class="primary">
          {action}
        </button>
      </Form>
      <p class="quiet">{hint}</p>
    </section>
  );
}
