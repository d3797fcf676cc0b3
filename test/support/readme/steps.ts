/** A block of commands in the README, with the JSON response shown below it, if there is one. */
interface ReadmeStep {
  command: string;
  answer: string | null;
}

/** Returns a Markdown text's code blocks in order. Throws if a block is in a language that no test runs. */
export function readmeSteps(markdown: string): ReadmeStep[] {
  const steps: ReadmeStep[] = [];
  for (const [, language, code = ''] of markdown.matchAll(/^```(\w*)\n(.*?)\n^```$/gms)) {
    const last = steps.at(-1);
    if (language === 'sh') steps.push({ command: code, answer: null });
    else if (language === 'json' && last && last.answer === null) last.answer = code;
    else throw new Error(`The README has a block that no test runs: ${language} ${code.slice(0, 60)}`);
  }
  return steps;
}
